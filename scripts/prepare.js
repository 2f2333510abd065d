import { buildIfStale } from '../bin/build-if-stale.js';

// Builds with the install, so that the first start need not. Without the development packages there is
// nothing to build with; a program that was built elsewhere does not need it.
try {
  await buildIfStale();
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
}
