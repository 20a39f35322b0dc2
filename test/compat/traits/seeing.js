/** A hook that logs what it reads of its argument. */
export const seeing = (name, log, read) => (all) => {
  log(`${name}: ${JSON.stringify(read(all))}`);
  return all;
};
