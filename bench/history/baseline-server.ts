import { once } from 'node:events';
import { createServer } from 'node:http';
import { CompiledQuery } from 'kysely';
import type { Address } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readReserveSnapshots } from '#server/history/queries/reserve-snapshots.ts';

type Facts = Readonly<Record<string, unknown>>;

/** A response of ours, split into its points and the rest. */
export type HistoryResponse = Facts & {
  readonly history: readonly (Facts & { readonly timestamp: string })[];
};

export type BaselinePlan = {
  readonly response: HistoryResponse;
  /** Key of a point's figures; undefined if they are beside its time. */
  readonly under?: string;
};

export type BaselineServer = { readonly url: string; readonly close: () => Promise<void> };

type Field = { readonly name: string; readonly type: 'text' | 'float8' | 'json' };

const ALWAYS = { from: toUnixSeconds(0n), to: toUnixSeconds(2n ** 40n) };
const INSERTED_AT_ONCE = 200;

/**
 * The obvious implementation: a table with one row per point and its figures as columns, read and turned into JSON
 * for each request. It has an advantage: the table holds only the points of this response, with nothing to compute,
 * check or look up.
 */
export async function startBaselineServer(
  { db }: Pick<History, 'db'>,
  table: string,
  { response, under }: BaselinePlan,
): Promise<BaselineServer> {
  const { history, ...head } = response;
  const run = (text: string, parameters: readonly unknown[] = []) =>
    db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...parameters]));
  const points = history.map((point) => ({
    at: Date.parse(point.timestamp),
    figures: figuresOf(point, under),
  }));
  const fields = fieldsOf(points.map(({ figures }) => figures));
  const columns = fields.map(({ name, type }) => `"${name}" ${type}`);
  await run(`create table ${table} (subject int4, at int8, ${columns}, primary key (subject, at))`);
  for (let start = 0; start < points.length; start += INSERTED_AT_ONCE) {
    const rows = points
      .slice(start, start + INSERTED_AT_ONCE)
      .map(({ at, figures }) => [1, at, ...fields.map((field) => sent(figures, field))]);
    await run(`insert into ${table} values ${sqlPlaceholders(rows)}`, rows.flat());
  }
  await run(`analyze ${table}`);

  const names = fields.map(({ name }) => `"${name}"`);
  const select = `select at, ${names} from ${table} where subject = $1 order by at`;
  const { url, close } = await serve(async () => {
    const { rows } = await run(select, [1]);
    const items = rows.map(({ at, ...figures }) => {
      const timestamp = new Date(Number(at)).toISOString();
      return under === undefined ? { timestamp, ...figures } : { timestamp, [under]: figures };
    });
    return { ...head, history: items };
  });
  const end = async () => {
    await close();
    await run(`drop table ${table}`);
  };
  return { url, close: end };
}

/** Reads the rows that daily figures of these reserves need, as we do, and returns their count. */
export async function startSeriesReader(
  { db }: Pick<History, 'db'>,
  reserves: Iterable<Address>,
): Promise<BaselineServer> {
  const reader = createHistoryReader(db);
  return await serve(async () => {
    let rows = 0;
    for (const reserve of reserves) {
      const pieces = readReserveSnapshots(reader, { reserve, resolution: 'day' }, ALWAYS);
      for await (const piece of pieces) rows += piece.length;
    }
    return { rows };
  });
}

async function serve(answer: () => Promise<unknown>): Promise<BaselineServer> {
  const server = createServer((_, response) => {
    answer()
      .then((value) => {
        const body = Buffer.from(JSON.stringify(value));
        const type = 'application/json; charset=utf-8';
        response.writeHead(200, { 'content-type': type, 'content-length': body.length });
        response.end(body);
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${address.port}/`, close };
}

/** `($1,$2),($3,$4)` for rows of equal length. */
export function sqlPlaceholders(rows: readonly (readonly unknown[])[]): string {
  let place = 0;
  return rows
    .map((row) => {
      const places = row.map(() => {
        place += 1;
        return `$${place}`;
      });
      return `(${places})`;
    })
    .join(',');
}

function figuresOf(
  { timestamp: _, ...rest }: HistoryResponse['history'][number],
  under?: string,
): Facts {
  return under === undefined ? rest : ((rest as Facts)[under] as Facts);
}

function fieldsOf(all: readonly Facts[]): Field[] {
  const [first = {}] = all;
  return Object.entries(first).map(([name, value]) => {
    if (typeof value === 'number') return { name, type: 'float8' };
    return { name, type: typeof value === 'string' ? 'text' : 'json' };
  });
}

const sent = (figures: Facts, { name, type }: Field): unknown =>
  type === 'json' ? JSON.stringify(figures[name]) : figures[name];
