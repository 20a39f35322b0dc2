/** An entry of a phase that is a function: a step that makes its requests itself. */
export class FunctionEntry {
  /** @param {(scope: any) => unknown} call */
  constructor(call) {
    this.call = call;
  }
}
