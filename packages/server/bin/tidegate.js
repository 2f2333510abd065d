#!/usr/bin/env node
// Old versions of Node.js must be able to run this file, so that they can print the error: it has no
// imports, no top-level await and no recent syntax.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `tidegate: Node.js ${process.versions.node} is too old. Install Node.js 20.19 or later.\n`,
  );
  process.exitCode = 1;
} else {
  void import('./start.js');
}
