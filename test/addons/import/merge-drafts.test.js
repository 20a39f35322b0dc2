import { expect } from 'chai';

import { read as readCurl } from '../../../lib/addons/import/curl/index.js';
import { flowOf, newDraft } from '../../../lib/addons/import/draft.js';
import { EnvironmentNames } from '../../../lib/addons/import/environment-names.js';
import { read as readHttpFile } from '../../../lib/addons/import/http-file/index.js';
import { mergeDrafts } from '../../../lib/addons/import/merge-drafts.js';

const options = { from: 'a', folder: '/nowhere' };

describe('import/merge-drafts', () => {
  it('variables and captures of one name keep their values', () => {
    const login = (port, path) =>
      readHttpFile(
        `@host = http://localhost:${port}${path}\n@ver = v${port}\n@same = 1\n\n# @name login\nPOST {{host}}/login/{{ver}}/{{same}}\n\n###\nGET {{host}}/me/{{login.response.body.$.id}}\n`,
        options,
      );
    expect(flowOf(mergeDrafts([login(1, ''), login(2, '/api')]))).to.deep.include({
      baseUrl: 'http://localhost:1',
      vars: { ver: 'v1', same: '1', ver_2: 'v2' },
      main: [
        { post: '/login/#{ver}/#{same}', name: 'login', capture: { login_id: '$.id' } },
        { get: '/me/#{login_id}' },
        {
          post: 'http://localhost:2/api/login/#{ver_2}/#{same}',
          name: 'login',
          capture: { login_id_2: '$.id' },
        },
        { get: 'http://localhost:2/api/me/#{login_id_2}' },
      ],
    });
  });

  it('options are joined, and one that both have is named', () => {
    const [first, second] = ["-m 1 --connect-timeout 2 --noproxy 'a'", "--noproxy 'b' --proxy-insecure"].map((flags) =>
      readCurl(`curl ${flags} http://localhost/`, options),
    );
    const { properties, dialectNotes } = mergeDrafts([first, second]);
    expect(properties).to.deep.equal({ runOptions: { connectTimeout: 2000, noProxy: 'a', proxyInsecure: true } });
    expect(dialectNotes).to.deep.equal([
      'Several sources have runOptions.noProxy: the flow has that of the first one.',
    ]);
  });

  it('a variable may have the name of a member of all objects', () => {
    const drafts = [{ a: '1' }, { constructor: '2' }].map((vars) => newDraft({ properties: { vars } }));
    const { properties, dialectNotes } = mergeDrafts(drafts);
    expect(properties.vars).to.deep.equal({ a: '1', constructor: '2' });
    expect(dialectNotes).to.deep.equal([]);
  });

  it('header fields of all requests of a source are not sent by those of another one', () => {
    const draft = (properties, operation) => {
      const one = newDraft({ properties });
      one.phases.main.push({ operation, comments: [] });
      return one;
    };
    expect(
      flowOf(
        mergeDrafts([
          draft({ headers: { A: '1', b: '1' } }, { get: '/a', headers: { B: '2' } }),
          draft({}, { get: '/b' }),
        ]),
      ).main,
    ).to.deep.equal([{ get: '/a', headers: { A: '1', B: '2' } }, { get: '/b' }]);
  });

  it('secrets of several sources have variables of their own, unless they are equal', () => {
    const environmentNames = new EnvironmentNames();
    const bodies = ['geheim-1', 'geheim-2', 'geheim-1'].map(
      (password) =>
        readCurl(`curl -d password=${password} http://localhost/`, { ...options, environmentNames }).phases.main[0]
          .operation.form.password,
    );
    expect(bodies).to.deep.equal(['#{env.PASSWORD}', '#{env.PASSWORD_2}', '#{env.PASSWORD}']);
  });
});
