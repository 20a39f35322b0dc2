import { createHash, createHmac } from 'node:crypto';

import { isStructure, Native, object, Sym, sym, unknown } from './values.js';
import { pick } from './builtins.js';
import { checkResponse } from './check-response.js';
import { defineHidden } from './collections.js';
import { ofFormData, PART_TYPE } from './form-data.js';
import { ofGrpc } from './grpc.js';
import { newJar } from './jars.js';
import { addBatch, addRequest } from './operations.js';
import { sleep } from './pauses.js';
import { randomText } from './texts.js';
import { ofUrls } from './urls.js';

/** @typedef {any} Value */
/** @typedef {any} Node */
/** @import { Script } from './script.js' */

/**
 * The modules that scripts import, by what their names match.
 * @type {[RegExp, (script: Script) => Record<string, Value>][]}
 */
const MODULES = [
  [/^k6$/, ofK6],
  [/^k6\/http$/, ofHttp],
  [/^k6\/data$/, ofData],
  [/^k6\/metrics$/, ofMetrics],
  [/^k6\/execution$/, ofExecution],
  [/^k6\/encoding$/, ofEncoding],
  [/^k6\/(?:crypto|webcrypto|experimental\/webcrypto)$/, ofCrypto],
  [/^k6\/(?:net|experimental)\/grpc$/, ofGrpc],
  [/^k6\/(?:ws|websockets|experimental\/websockets)$/, ofWebSockets],
  [/jslib\.k6\.io\/k6-utils\/|(?:^|\/)k6-utils/, ofUtils],
  [/papaparse/, ofPapaparse],
  [/jslib\.k6\.io\/url\//, ofUrls],
  [/jslib\.k6\.io\/formdata\//, ofFormData],
  [/k6chaijs/, ofChai],
];

/** Returns members of a known module. @type {(name: string, script: Script) => Record<string, Value> | undefined} */
export function moduleOf(name, script) {
  const [, load] = MODULES.find(([pattern]) => pattern.test(name)) ?? [];
  if (!load) return undefined;
  const members = load(script);
  return object({ default: object(members), ...members });
}

/** @type {(script: Script) => Record<string, Value>} */
function ofK6(script) {
  return {
    check: new Native('check', ([subject, sets], node) => checkResponse(script, subject, sets, node)),
    group: new Native('group', ([name, fn], node) => script.group(name, fn, node)),
    sleep: new Native('sleep', ([seconds], node) => sleep(script, seconds, node)),
    fail: new Native('fail', () => script.end()),
    randomSeed: new Native('randomSeed', () => undefined),
  };
}

/** @type {(script: Script) => Record<string, Value>} */
function ofHttp(script) {
  /** @type {(method: string, hasBody: boolean) => Native} */
  const verb = (method, hasBody) =>
    new Native(`http.${method}`, ([url, ...rest], node) => {
      const [body, params] = hasBody ? rest : [undefined, rest[0]];
      return addRequest(script, { method, url, body, params }, node);
    });
  const request = new Native('http.request', ([method, url, body, params], node) =>
    addRequest(script, { method, url, body, params }, node),
  );
  return {
    get: verb('GET', false),
    head: verb('HEAD', false),
    post: verb('POST', true),
    put: verb('PUT', true),
    patch: verb('PATCH', true),
    del: verb('DELETE', true),
    options: verb('OPTIONS', true),
    request,
    asyncRequest: request,
    batch: new Native('http.batch', ([items], node) => addBatch(script, items, node, (item) => batchItem(item))),
    url: new Native('http.url', ([first]) => first),
    file: new Native('http.file', ([data, filename, given]) => {
      const contentType = given ?? PART_TYPE;
      return defineHidden(object({ data, filename, content_type: contentType }), {
        upload: { data, filename, contentType },
      });
    }),
    cookieJar: new Native('http.cookieJar', () => script.jar),
    CookieJar: new Native('http.CookieJar', () => newJar(script)),
    expectedStatuses: new Native('http.expectedStatuses', (given) => object({ statuses: given.flatMap(statusesOf) })),
    setResponseCallback: new Native('http.setResponseCallback', (_, node) =>
      script.leave(node, 'write the statuses that each operation expects'),
    ),
    ...Object.fromEntries(['TLS_1_0', 'TLS_1_1', 'TLS_1_2', 'TLS_1_3'].map((name) => [name, name])),
  };
}

/** `{ min: 200, max: 299 }` @type {(one: Value) => any[]} */
function statusesOf(one) {
  if (!isStructure(one)) return [one];
  const classes = Math.floor(one.max / 100) - Math.floor(one.min / 100) + 1;
  return one.min % 100 === 0 && one.max % 100 === 99
    ? Array.from({ length: classes }, (_, i) => `${one.min / 100 + i}xx`)
    : Array.from({ length: Math.min(one.max - one.min + 1, 500) }, (_, i) => one.min + i);
}

/** @type {(item: Value) => { method: Value, url: Value, body?: Value, params?: Value } | undefined} */
function batchItem(item) {
  if (Array.isArray(item)) {
    const [method, url, body, params] = item;
    return { method, url, body, params };
  }
  if (isStructure(item) && item.url !== undefined)
    return { method: item.method ?? 'GET', url: item.url, body: item.body, params: item.params };
  return typeof item === 'string' || item instanceof Sym ? { method: 'GET', url: item } : undefined;
}

/** @type {(script: Script) => Record<string, Value>} */
function ofData(script) {
  return {
    SharedArray: new Native('SharedArray', ([name, fn], node) => {
      const list = script.run.call(fn, [], node);
      if (list instanceof Sym && typeof name === 'string') /** @type {any} */ (list).hint ??= name;
      return list;
    }),
  };
}

/** @type {(script: Script) => Record<string, Value>} */
function ofMetrics(script) {
  const metric = (/** @type {string} */ kind) =>
    new Native(kind, ([name]) => {
      script.metrics.push(typeof name === 'string' ? name : kind);
      return object({ name, add: new Native('add', () => true) });
    });
  return Object.fromEntries(['Trend', 'Rate', 'Counter', 'Gauge'].map((kind) => [kind, metric(kind)]));
}

/** @type {(script: Script) => Record<string, Value>} */
function ofExecution(script) {
  const [vu, iter, index] = ['vu', 'iter', 'index'].map((type) => sym(type));
  return {
    vu: object({
      idInTest: vu,
      idInInstance: vu,
      iterationInInstance: iter,
      iterationInScenario: iter,
      tags: object(),
      metrics: object({ tags: object(), metadata: object() }),
    }),
    scenario: object({ iterationInTest: index, iterationInInstance: index, name: sym('scenario') }),
    instance: object(),
    test: object({
      abort: new Native(
        'abort',
        (_, node) => (script.leave(node, 'a run is ended by a threshold and --abort-on-fail'), script.end()),
      ),
      fail: new Native('fail', () => undefined),
    }),
  };
}

/** @type {() => Record<string, Value>} */
function ofEncoding() {
  return {
    b64encode: new Native('b64encode', ([text, kind], node) =>
      typeof text === 'string'
        ? Buffer.from(text).toString(/url$/.test(kind ?? '') ? 'base64url' : 'base64')
        : unknown(node, 'base64 of what a run knows has no equivalent'),
    ),
    b64decode: new Native('b64decode', ([text], node) =>
      typeof text === 'string' ? Buffer.from(text, 'base64').toString() : unknown(node),
    ),
  };
}

/** @type {(script: Script) => Record<string, Value>} */
function ofCrypto(script) {
  const hash = (/** @type {string} */ name) =>
    new Native(name, ([text, encoding], node) =>
      typeof text === 'string' && /^(?:hex|base64)$/.test(encoding)
        ? createHash(name).update(text).digest(encoding)
        : unknown(node, `${name} of what a run knows has no equivalent`),
    );
  return {
    ...Object.fromEntries(['md5', 'sha1', 'sha256', 'sha384', 'sha512'].map((name) => [name, hash(name)])),
    hmac: new Native('hmac', ([name, key, text, encoding], node) =>
      [key, text].every((one) => typeof one === 'string') &&
      /^(?:hex|base64)$/.test(encoding) &&
      /^(?:md5|sha\d+)$/.test(name)
        ? createHmac(name, key).update(text).digest(encoding)
        : unknown(node, 'hmac of what a run knows has no equivalent'),
    ),
    randomUUID: uuid(script),
  };
}

/** @type {(script: Script) => Native} */
function uuid(script) {
  return new Native('uuid', (_, node) =>
    script.leaf({ word: 'uuid', code: 'crypto.randomUUID()', token: 'uuid', node }),
  );
}

/** @type {(script: Script) => Record<string, Value>} */
function ofUtils(script) {
  return {
    uuidv4: uuid(script),
    randomItem: new Native('randomItem', ([list], node) =>
      Array.isArray(list) || list?.type === 'rows' ? pick(list, 'random', node) : unknown(node),
    ),
    randomIntBetween: new Native('randomIntBetween', ([low, high], node) => {
      if (typeof low !== 'number' || typeof high !== 'number') return unknown(node);
      const factor = sym('binary', { operator: '*', left: script.random(node), right: high - low + 1, node });
      const whole = sym('global', { name: 'Math.floor', args: [factor], node });
      return low === 0 ? whole : sym('binary', { operator: '+', left: whole, right: low, node });
    }),
    randomString: new Native('randomString', ([length, charset = 'abcdefghijklmnopqrstuvwxyz'], node) =>
      length > 0 && typeof charset === 'string'
        ? randomText(charset, length, { phase: script.renderer.phase, node })
        : unknown(node),
    ),
    findBetween: new Native('findBetween', (args, node) => sym('global', { name: 'findBetween', args, node })),
  };
}

/** @type {(script: Script) => Record<string, Value>} */
function ofChai(script) {
  return {
    describe: new Native('describe', ([name, fn], node) => (script.group(name, fn, node), true)),
    expect: unknown(undefined, 'expect of k6chaijs is not followed: write it as `expect` of the operation'),
  };
}

/** @type {() => Record<string, Value>} */
function ofPapaparse() {
  return {
    parse: new Native('papaparse.parse', ([file, settings], node) => {
      const isFile = file instanceof Sym && /** @type {any} */ (file).type === 'file';
      if (!isFile || settings?.header !== true)
        return object({ data: unknown(node, 'a file without the names of its columns: write a feeder') });
      const { delimiter } = settings;
      return object({
        data: sym('rows', {
          path: /** @type {any} */ (file).rows,
          ...(typeof delimiter === 'string' && delimiter.length === 1 && { delimiter }),
          node,
        }),
      });
    }),
  };
}

/** @type {(script: Script) => Record<string, Value>} */
function ofWebSockets(script) {
  const why = 'the events of a WebSocket are not followed: write operations with ws, send and receive';
  const left = new Native('connect', ([, ...rest], node) => {
    script.leave(node, why);
    for (const one of rest) script.run.memory.forget(one, node);
    return unknown(node, why);
  });
  return { connect: left, WebSocket: left };
}
