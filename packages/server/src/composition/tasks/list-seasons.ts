import { formatRatio, LIVE_DIGITS, type UnixSeconds } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { readSeasons, seasonFilePath } from '../../cli/files/season-file.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { formatTable } from '../../cli/terminal/text-table.ts';

/** A table of the imported seasons, in the order of the file. */
export async function listSeasons(config: Config): Promise<string> {
  const seasons = await readSeasons(seasonFilePath(config));
  if (seasons.length === 0) return 'No seasons. Import some with: tidegate rewards import FILE';
  return formatTable(
    ['SOURCE', 'START', 'END', 'REWARDS', 'BOOSTS', 'MAX BOOST'],
    seasons.map(toRow),
  );
}

const toRow = ({ source, start, end, rewards, boosts, maxBoost }: Season): string[] => [
  source,
  formatDate(start),
  formatDate(end),
  String(rewards.length),
  String(boosts.length),
  formatRatio(maxBoost, LIVE_DIGITS),
];

const formatDate = (unix: UnixSeconds): string => new Date(Number(unix) * 1000).toISOString();
