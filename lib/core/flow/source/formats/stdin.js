import { makeError } from '../../../ground/errors.js';
import { faultDetails } from '../../../text/code-frame.js';
import { parseYaml, yamlPositions } from '../../../text/parse-yaml.js';
import { noticeOfDigits, readDocument } from './document.js';
import { isLiteral, readLiteral } from './inline.js';
import { readerOfOther } from './other-texts.js';
import { isUrl } from './url.js';

/** @import { FlowReader } from '../types.js' */
/** @import { LiteralContext } from './inline.js' */

/** @type {FlowReader} */
export async function read(source) {
  const { from, text = '', cwd } = source;
  const trimmed = text.trim();
  if (trimmed === '') throw refusal('is empty', 'write a flow to it, as in: cat flow.yaml | bench-rest -');
  if (isUrl(trimmed) && !/\s/.test(trimmed)) return trimmed;
  // A flow of one line may have a url, as a target of vegeta in JSON.
  const isOneLiteral = isLiteral(trimmed) && !trimmed.includes('\n');
  const readOther = isOneLiteral ? undefined : await readerOfOther(trimmed);
  if (readOther) return readOther({ from, cwd, findings: source.findings });
  /** @type {string | undefined} */
  let notice;
  /** @type {LiteralContext['onLost']} */
  const onLost = (lost, within) => void (notice = noticeOfDigits(from, within, lost));
  const isYaml = !isLiteral(trimmed);
  const value = isYaml ? await readYaml() : await readLiteral(trimmed, { cwd, refusal, onLost });
  if (typeof value === 'string' && !isUrl(value) && !value.startsWith('/'))
    throw refusal('is no URL and no flow', 'write a flow as -e takes it, or as a YAML file; a module must be a file');
  return readDocument(value, from, { ...source, notice, positions: isYaml ? await yamlPositions(text) : undefined });

  async function readYaml() {
    const { value, fault, lost } = await parseYaml(text);
    if (fault) throw makeError('E_FLOW_FILE', faultDetails(from, text, fault));
    if (lost) onLost(lost, text);
    return value;
  }

  /** @type {(reason: string, cure: string, cause?: unknown) => Error} */
  function refusal(reason, cure, cause) {
    return makeError('E_FLOW_FILE', { path: from, reason, cure }, { cause });
  }
}
