import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../support/processes/run-tidegate.ts';

const run = promisify(execFile);

/** The tour needs a shell and curl. */
const canRunTour = (() => {
  try {
    execFileSync('bash', ['-c', 'command -v curl'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The commands of docs/tour.md. */
function tourCommands(): string {
  const tour = readFileSync(new URL('../../docs/tour.md', import.meta.url), 'utf8');
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(tour) ?? [];
  if (commands === undefined) throw new Error('docs/tour.md has no commands');
  return commands;
}

test.skipIf(!canRunTour)('the commands of the tour work as written', async () => {
  const { url } = await startServer();
  await expect
    .poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 20_000 })
    .toBe(200);
  const script = tourCommands()
    .replace('http://127.0.0.1:8080', url)
    .replaceAll('curl -s', "curl -s -w '\\n'");
  const { stdout } = await run('bash', ['-c', `set -eu\n${script}`], { maxBuffer: 2 ** 26 });
  const responses = stdout
    .trim()
    .split('\n')
    // the signature of the sent transaction is not JSON
    .filter((line) => !/^\w{80,90}$/.test(line))
    .map((line) => JSON.parse(line));
  const [markets, reserves, loans, loan, positions, metrics, rejected, built, previewed, later] =
    responses;
  expect(responses).toHaveLength(10);
  expect(markets.length).toBeGreaterThanOrEqual(3);
  expect(reserves.length).toBeGreaterThan(3);
  expect(loans.length).toBeGreaterThan(0);
  expect(depositOf(loan)).toBeGreaterThan(1);
  expect(positions.length).toBeGreaterThan(0);
  expect(Number(metrics.tokensPerShare)).toBeGreaterThan(0);
  expect(rejected.error).toContain('devnet');
  expect(Buffer.from(built.transaction, 'base64').length).toBeGreaterThan(300);
  expect(previewed.preview).toMatchObject({ success: true, simulated: true, error: null });
  expect(depositOf(later) - depositOf(loan)).toBeGreaterThan(0);
});

type LoanReport = {
  loanInfo: { collateral: { deposits: { tokenName: string; tokenAmount: string }[] } };
};

/** The deposited SOL. */
function depositOf({ loanInfo }: LoanReport): number {
  const deposits = loanInfo.collateral.deposits.filter(({ tokenName }) => tokenName === 'SOL');
  return Number(deposits[0]?.tokenAmount);
}
