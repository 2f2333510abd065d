import { execFileSync } from 'node:child_process';

/** All test files but those that need the whole machine, as paths in the repository. */
export function listTestFiles(copy: string): string[] {
  const listed = execFileSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'],
    { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const files = JSON.parse(listed) as { file: string }[];
  const paths = files.map(({ file }) => file.replace(copy, ''));
  return paths.filter((path) => !path.startsWith('test/chaos/'));
}
