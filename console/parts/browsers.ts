/**
 * The oldest browsers that the console runs in: the first ones with all that it calls. It is built for them, `index.html` tells others so, and
 * the handbook and docs/operations.md name them.
 */
const oldest = { Chrome: '122', Edge: '122', Firefox: '128', Safari: '17.4' };

export const buildTargets = Object.entries(oldest).map(([name, version]) => name.toLowerCase() + version);

/** As operators are told. */
export const oldestBrowsers = Object.entries(oldest)
  .map(([name, version]) => `${name} ${version}`)
  .join('、');
