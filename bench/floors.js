/** What ours/peer should be at least; shown, never asserted. */
export const floors = [
  { work: 'plain-get', peer: 'undici', atLeast: 0.85 },
  { work: 'plain-get', peer: 'autocannon', atLeast: 0.85 },
  { work: 'put-get', peer: 'autocannon', atLeast: 1.1 },
  { work: 'put-get', peer: 'bench-rest-1', atLeast: 6 }
];
