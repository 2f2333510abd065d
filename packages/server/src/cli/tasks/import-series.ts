import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, formatError, toUnixSeconds } from '@tidegate/core/base';
import { retry } from '../../chain/retry.ts';
import { isTemporaryOutage, MAX_OUTAGE_RETRY_MS } from '../../history/health/database-problem.ts';
import type { History } from '../../history/open-history.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { parseBackfillStart } from '../../indexer/jobs/backfill-events.ts';
import { type HistoryImportReport, importHistory } from '../../indexer/jobs/import-history.ts';
import { fetchDocument } from '../../registry/fetch-document.ts';
import { openClusterHistory } from '../clusters/open-cluster-history.ts';
import { createServerLog } from '../logging/server-log.ts';
import { parseUrls } from '../settings/setting-parsers.ts';
import type { Config } from '../settings/settings.ts';
import { createImportReporter } from '../terminal/progress-reporter.ts';

export type ImportFlags = {
  readonly from: string;
  readonly until?: string | undefined;
  readonly days?: string | undefined;
};

const MAX_ATTEMPTS = 6;
const MAX_RETRY_DELAY_MS = 60_000;
const TIMEOUT_MS = 60_000;

/** Copies market and price series of another instance into the history. Returns a summary. */
export async function runImport(config: Config, flags: ImportFlags): Promise<string> {
  const [base, ...more] = parseUrls(['http:', 'https:'])(flags.from) ?? [];
  if (base === undefined || more.length > 0) {
    const accepts = 'the http(s) URL of a compatible API';
    throw new CodedError('INVALID_SETTING', { name: '--from', value: flags.from, accepts });
  }
  const from = parseBackfillStart(flags, Date.now());
  const { log, close } = createServerLog(config);
  const history = await openClusterHistory(config, config.cluster, log);
  try {
    const report = await importHistory({
      getJson: (path) => getJson(base, path),
      writer: createPatientWriter(history),
      env: config.cluster,
      from,
      to: toUnixSeconds(BigInt(Math.floor(Date.now() / 1000))),
      onProgress: createImportReporter(),
    });
    return describe(report);
  } finally {
    await history.close();
    close();
  }
}

/** Waits for a database that does not respond. */
function createPatientWriter({ db }: History): Pick<HistoryWriter, 'append'> {
  const writer = new HistoryWriter(db);
  const options = {
    firstMs: 500,
    maxMs: MAX_OUTAGE_RETRY_MS,
    random: Math.random,
    shouldRetry: isTemporaryOutage,
    sleep: (ms: number) => sleep(ms),
  };
  return { append: (batch) => retry(() => writer.append(batch), options) };
}

/** Retries while the instance is busy, after the delay that it requests. */
async function getJson(base: URL, path: string): Promise<unknown> {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetchDocument(url, { headers: {}, signal }).catch((error: unknown) =>
      formatError(error),
    );
    if (typeof response !== 'string' && response.status === 200) return await json(response.body);
    if (typeof response !== 'string') response.body.destroy();
    const status = typeof response === 'string' ? response : `status ${response.status}`;
    const isTemporary =
      typeof response === 'string' || response.status === 429 || response.status >= 500;
    if (!isTemporary || attempt === MAX_ATTEMPTS) {
      const reason = `${status} for ${url.pathname}`;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: url.host, reason });
    }
    const retryAfterSeconds =
      typeof response === 'string' ? 0 : Number(response.headers['retry-after'] ?? 0);
    const ms = Math.max(retryAfterSeconds * 1000 || 0, 250 * 2 ** attempt);
    await sleep(Math.min(ms, MAX_RETRY_DELAY_MS));
  }
}

const describe = ({ markets, mints, marketPoints, pricePoints }: HistoryImportReport): string =>
  `Copied ${marketPoints} points of ${markets} markets and ${pricePoints} prices of ${mints} tokens.
Did not copy points of reserves and vaults: the API does not return all of their fields.`;
