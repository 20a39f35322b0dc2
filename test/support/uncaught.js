/** Resolves with the next error that nothing catches, which then does not end the process. */
export function uncaught() {
  return new Promise((resolve) => {
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => {
      for (const listener of others) process.on('uncaughtException', listener);
      resolve(error);
    });
  });
}
