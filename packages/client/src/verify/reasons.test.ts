import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REASON_CODES } from './reasons.ts';

test('the guide has every reason', () => {
  const guide = readFileSync(new URL('../../../../docs/verifier.md', import.meta.url), 'utf8');
  const rows = Object.entries(REASON_CODES).map(([code, text]) => `| \`${code}\` | ${text} |`);
  expect(guide.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line))).toEqual(rows);
});
