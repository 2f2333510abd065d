import type { Kysely } from 'kysely';
import type { RawStep, RawStepCodec } from '../raw/raw-step-codec.ts';
import type { HistoryTables } from '../schema/tables.ts';

const PAGE_ROWS = 20;

/** All stored steps in order, one list per row. The codec must hold the baseline accounts. */
export async function* readRawSteps(
  db: Kysely<HistoryTables>,
  codec: RawStepCodec,
): AsyncGenerator<readonly RawStep[]> {
  let after = { slot: -1n, part: 0 };
  for (;;) {
    const { slot, part } = after;
    const rows = await db
      .selectFrom('raw_step')
      .selectAll()
      .where(({ eb, or, and }) =>
        or([eb('slot', '>', slot), and([eb('slot', '=', slot), eb('part', '>', part)])]),
      )
      .orderBy('slot')
      .orderBy('part')
      .limit(PAGE_ROWS)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
    for (const { deflated } of rows) yield codec.decode(deflated);
  }
}
