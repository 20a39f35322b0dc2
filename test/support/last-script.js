/**
 * The script of ours in a page.
 *
 * @param {string} html
 * @returns {string}
 */
export function lastScriptOf(html) {
  return html.slice(html.lastIndexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
}
