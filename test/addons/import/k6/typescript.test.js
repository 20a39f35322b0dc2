import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/k6/index.js';
import { inFolder } from '../../../support/in-folder.js';

const HTTP = "import http from 'k6/http';\n";

/** The paths that a script in TypeScript requests, and what is left out. */
function pathsOf(around, path) {
  const script = `${HTTP}${around}\nexport default function () { http.get(\`http://a.example/\${${path}}\`); }`;
  const draft = read(script, { from: 'script.ts', folder: '/work' });
  return { paths: (flowOf(draft).main ?? []).map(({ get }) => get), skipped: draft.skipped };
}

describe('import/k6/typescript', () => {
  for (const [title, around, path] of [
    ['a union with null', "const a: string | null = 'x';", 'a'],
    ['a generic arrow', 'const a = <T,>(one: T): T => one;', "a<string>('x')"],
    [
      'a generic call',
      'class List<T> { at(i: number): T | undefined { return "x"[i]; } }',
      'new List<string>().at(0)!',
    ],
    ['an interface, a type', 'interface A<T = {}> { a?: T }\ntype B = A<A[]> | (() => void);\nlet b: B;', "'x'"],
    [
      'members with modifiers',
      "class A { private static readonly a?: string = 'x'; public b() { return A.a; } }",
      'new A().b()',
    ],
    ['parameter properties', 'class A { constructor(private readonly a: string, public b = 1) {} }', "new A('x').a"],
    [
      'one of a derived class',
      'class A {} class B extends A { constructor(public a: string) { super(); } }',
      "new B('x').a",
    ],
    [
      'an abstract class',
      "abstract class A { abstract a: string; abstract b(): void; c() { return 'x'; } }\nclass B extends A {}",
      'new B().c()',
    ],
    ['an enumeration', "export enum A { B, C = B | 4, D, E = 'x' }", '[A.E, A.B, A.D, A[5]]'],
    ['as, satisfies', "const a = { b: 'x' as const } satisfies object;", '(a as any as { b: string }).b'],
    ['declarations', 'declare const a: string; declare module "b" { const c: 1 }\ndeclare function d(): void;', "'x'"],
    [
      'overloads',
      "function a(): string;\nfunction a(b: number): string;\nfunction a(this: void, b?: number) { return 'x'; }",
      'a(1)',
    ],
    [
      'an import of types',
      "import type { A } from './none';\nimport { type B } from './none';\nimport { C } from './none';\nlet c: C;",
      "'x'",
    ],
  ])
    it(`${title} is followed as its JavaScript`, () => {
      const expected = title === 'an enumeration' ? '/x,0,5,D' : '/x';
      expect(pathsOf(around, path)).to.deep.equal({ paths: [expected], skipped: [] });
    });

  it('a namespace is named with its line', () =>
    expect(pathsOf("namespace N { export const a = 'x'; }", 'N.a').skipped[0]).to.deep.equal({
      what: "line 2: namespace N { export const a = 'x'; }",
      why: 'this statement is not followed',
    }));

  it('imports that only types use are not read', async () => {
    const script = `${HTTP}import { A } from './none';\nexport default (a: A) => http.get('http://a.example/');`;
    const draft = await inFolder((folder) => read(script, { from: 'script.ts', folder }));
    expect(draft.dialectNotes.join()).not.to.include('./none');
  });
});
