import { spawnSync } from 'node:child_process';
import { readAudit } from './supply-chain/audit-outcome.ts';

const TIMEOUT_MS = 60_000;

/** Fails if an installed package has a known vulnerability. A registry that does not answer audits is no failure. */
const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0'], {
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  maxBuffer: 64 * 1024 * 1024,
});
const outcome = readAudit(stdout ?? '');
if (outcome.kind === 'clean') console.log('audit: no known vulnerability');
if (outcome.kind === 'unanswered') console.log(`audit: not answered (${outcome.reason}), skipped`);
if (outcome.kind === 'vulnerable') {
  for (const line of outcome.lines) console.error(line);
  process.exitCode = 1;
}
