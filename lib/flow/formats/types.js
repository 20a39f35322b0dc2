/**
 * @typedef {object} FlowSource where a flow comes from
 * @property {string} from absolute path, URL or `-e`
 * @property {string} cwd
 * @property {number} limitMs how long a module may take
 * @property {string} [argument] of the command line
 * @property {string} [path] absolute, of a file that exists
 * @property {string} [text] what the file holds
 * @property {string} [evaluate] the text of -e
 *
 * @typedef {object} FlowFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string[]} extensions of its files, lower case
 * @property {(source: FlowSource) => boolean} accepts looks at no text of a file
 * @property {(source: FlowSource) => unknown} read the flow or a promise of it; throws E_USAGE or E_FLOW_FILE
 *
 * @typedef {object} Fault what is wrong in a text
 * @property {number} offset in UTF-16 units
 * @property {string} reason
 */
export {};
