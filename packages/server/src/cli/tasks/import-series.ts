import { CodedError, formatError, toUnixSeconds } from '@tidegate/core/base';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { parseBackfillStart } from '../../indexer/jobs/backfill-events.ts';
import { type HistoryImportReport, importHistory } from '../../indexer/jobs/import-history.ts';
import { openClusterHistory } from '../clusters/open-cluster-history.ts';
import { createServerLog } from '../logging/server-log.ts';
import { parseUrls } from '../settings/setting-parsers.ts';
import type { Config } from '../settings/settings.ts';
import { createImportProgressBar } from '../terminal/progress-bar.ts';

export type ImportFlags = {
  readonly from: string;
  readonly until?: string | undefined;
  readonly days?: string | undefined;
};

const ATTEMPTS = 6;
const LONGEST_WAIT_MS = 60_000;
const TIMEOUT_MS = 60_000;

/** Copies series of another instance into the history of a cluster; says what it copied, and what not. */
export async function runImport(config: Config, flags: ImportFlags): Promise<string> {
  const [base, ...more] = parseUrls(['http:', 'https:'])(flags.from) ?? [];
  if (base === undefined || more.length > 0) {
    const accepts = 'the http(s) URL of an instance that speaks the contract';
    throw new CodedError('INVALID_SETTING', { name: '--from', value: flags.from, accepts });
  }
  const from = parseBackfillStart(flags, Date.now());
  const { log, close } = createServerLog(config);
  const history = await openClusterHistory(config, config.cluster, log);
  try {
    const report = await importHistory({
      get: (path) => getJson(base, path),
      writer: new HistoryWriter(history.db),
      env: config.cluster,
      from,
      to: toUnixSeconds(BigInt(Math.floor(Date.now() / 1000))),
      onProgress: createImportProgressBar(),
    });
    return describe(report);
  } finally {
    await history.close();
    close();
  }
}

/** Asked again where the instance is busy, when it says so. */
async function getJson(base: URL, path: string): Promise<unknown> {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (error: unknown) => formatError(error),
    );
    if (typeof answer !== 'string' && answer.ok) return await answer.json();
    const status = typeof answer === 'string' ? answer : `status ${answer.status}`;
    const isPassing = typeof answer === 'string' || answer.status === 429 || answer.status >= 500;
    if (!isPassing || attempt === ATTEMPTS) {
      const reason = `${status} for ${url.pathname}`;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: url.host, reason });
    }
    const asked = typeof answer === 'string' ? 0 : Number(answer.headers.get('retry-after') ?? 0);
    const ms = Math.max(asked * 1000 || 0, 250 * 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, LONGEST_WAIT_MS)));
  }
}

const describe = ({ markets, mints, marketPoints, pricePoints }: HistoryImportReport): string =>
  `${marketPoints} points of ${markets} markets and ${pricePoints} prices of ${mints} tokens were copied.
Points of reserves and of vaults are made of more than answers tell, and were left out.`;
