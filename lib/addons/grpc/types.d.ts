/** What the add-on knows of a call: the type of its messages, and how they are sent. */
export interface CallTask {
  kind: 'grpc';
  sendsFields: true;
  /** of its messages, each with its head */
  bytes: Buffer;
  /** reads a message as JSON has it */
  decode: (bytes: Buffer) => unknown;
  /** of the messages that are sent */
  compression: 'gzip' | null;
  /** several messages are received */
  answersStream: boolean;
  /** of the operation; null: that of the run */
  timeoutMs: number | null;
}
