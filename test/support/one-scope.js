import { expect } from 'chai';

/** The modules of a page's script share one scope: a function of a name replaces an earlier one. */
export function expectOneScope(html) {
  const script = html.slice(html.lastIndexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  expect(() => new Function(script)).not.to.throw();
  expect(script).not.to.match(/^(import|export) /m);
  const names = [...script.matchAll(/^(?:async )?(?:function|class|const|let) (\w+)/gm)].map(([, name]) => name);
  expect(names).to.include.members(['decimal', 'element']);
  expect(names.filter((name, i) => names.indexOf(name) < i)).to.deep.equal([]);
}
