import { CodedError, formatRatio, LIVE_DIGITS, type UnixSeconds } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { importSeasons, readSeasons, removeSeason, seasonFilePath } from '../files/season-file.ts';
import type { Config } from '../settings/settings.ts';
import { formatTable } from '../terminal/text-table.ts';

/** `tidegate rewards …`: the seasons of the data folder, which a running server follows. */
export async function runRewards(words: readonly string[], config: Config): Promise<string> {
  const [verb = '', name, ...rest] = words;
  const path = seasonFilePath(config);
  if (verb === 'import' && name !== undefined && rest.length === 0) {
    const seasons = await importSeasons(path, name);
    return `Imported ${seasons.map(({ source }) => source).join(', ') || 'nothing'}.`;
  }
  if (verb === 'list' && name === undefined) return listSeasons(await readSeasons(path));
  if (verb === 'remove' && name !== undefined && rest.length === 0) {
    await removeSeason(path, name);
    return `Removed ${name}.`;
  }
  const reason = 'Use tidegate rewards import FILE, rewards list or rewards remove SOURCE.';
  throw new CodedError('INVALID_USAGE', { reason });
}

/** A table for people, newest last. */
function listSeasons(seasons: readonly Season[]): string {
  if (seasons.length === 0) return 'No seasons. Import some with: tidegate rewards import FILE';
  return formatTable(
    ['SOURCE', 'START', 'END', 'REWARDS', 'BOOSTS', 'MAX BOOST'],
    seasons.map(toRow),
  );
}

const toRow = ({ source, start, end, rewards, boosts, maxBoost }: Season): string[] => [
  source,
  dateText(start),
  dateText(end),
  String(rewards.length),
  String(boosts.length),
  formatRatio(maxBoost, LIVE_DIGITS),
];

const dateText = (unix: UnixSeconds): string => new Date(Number(unix) * 1000).toISOString();
