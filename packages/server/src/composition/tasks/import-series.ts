import { setTimeout as sleep } from 'node:timers/promises';
import { toUnixSeconds } from '@tidegate/core/base';
import { retry } from '../../chain/retry.ts';
import { createServerLog } from '../../cli/logging/server-log.ts';
import { parseUrls } from '../../cli/settings/setting-parsers.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { createImportReporter } from '../../cli/terminal/progress-reporter.ts';
import { CodedError } from '../../errors.ts';
import { requireSameCluster } from '../../history/cluster-identity.ts';
import { isTemporaryOutage, MAX_OUTAGE_RETRY_MS } from '../../history/health/database-problem.ts';
import type { History } from '../../history/open-history.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { parseBackfillStart } from '../../indexer/jobs/backfill-events.ts';
import { type HistoryImportReport, importHistory } from '../../indexer/jobs/import-history.ts';
import { genesisHashOf } from '../clusters/verify-cluster.ts';
import { openClusterHistory } from '../recording/open-cluster-history.ts';
import { getRemoteJson } from './remote-json.ts';

export type ImportFlags = {
  readonly from: string;
  readonly until?: string | undefined;
  readonly days?: string | undefined;
};

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
    const genesis = genesisHashOf(config.cluster);
    if (genesis !== undefined) await requireSameCluster(history.db, { genesis });
    const report = await importHistory({
      getJson: (path) => getRemoteJson(base, path),
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

const describe = ({ markets, mints, marketPoints, pricePoints }: HistoryImportReport): string =>
  `Copied ${marketPoints} points of ${markets} markets and ${pricePoints} prices of ${mints} tokens.
Did not copy points of reserves and vaults: the API does not return all of their fields.`;
