import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer, temporaryFolder } from '../support/processes/run-tidegate.ts';

const run = promisify(execFile);

/** The tour is for a shell; a machine without one, or without curl, cannot take it. */
const canTour = (() => {
  try {
    execFileSync('bash', ['-c', 'command -v curl'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The commands of the README, as they stand there. */
function tourCommands(): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, commands] = /## A tour\n\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  if (commands === undefined) throw new Error('the README has no tour');
  return commands;
}

test.skipIf(!canTour)('the README’s tour can be taken as it is written', async () => {
  const { url } = await startServer({ DATA_DIR: temporaryFolder() });
  await expect
    .poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 20_000 })
    .toBe(200);
  const script = tourCommands()
    .replace('http://127.0.0.1:8080', url)
    .replaceAll('curl -s', "curl -s -w '\\n'");
  const { stdout } = await run('bash', ['-c', `set -eu\n${script}`], { maxBuffer: 2 ** 26 });
  const answers = stdout
    .trim()
    .split('\n')
    // the signature of what was sent is no JSON
    .filter((line) => !/^\w{80,90}$/.test(line))
    .map((line) => JSON.parse(line));
  const [markets, reserves, loans, loan, positions, metrics, refused, built, previewed, later] =
    answers;
  expect(answers).toHaveLength(10);
  expect(markets.length).toBeGreaterThanOrEqual(3);
  expect(reserves.length).toBeGreaterThan(3);
  expect(loans.length).toBeGreaterThan(0);
  expect(depositOf(loan)).toBeGreaterThan(1);
  expect(positions.length).toBeGreaterThan(0);
  expect(Number(metrics.tokensPerShare)).toBeGreaterThan(0);
  expect(refused.error).toContain('devnet');
  expect(Buffer.from(built.transaction, 'base64').length).toBeGreaterThan(300);
  expect(previewed.preview).toMatchObject({ success: true, simulated: true, error: null });
  expect(depositOf(later) - depositOf(loan)).toBeGreaterThan(0);
});

type Report = {
  loanInfo: { collateral: { deposits: { tokenName: string; tokenAmount: string }[] } };
};

/** Of SOL. */
function depositOf({ loanInfo }: Report): number {
  const deposits = loanInfo.collateral.deposits.filter(({ tokenName }) => tokenName === 'SOL');
  return Number(deposits[0]?.tokenAmount);
}
