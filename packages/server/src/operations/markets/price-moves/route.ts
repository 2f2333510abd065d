import { parseDecimal, toAddress } from '@tidegate/core/base';
import { type PriceMove, type PricePoint, viewPriceMoves } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatIsoInstant } from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import { setSampleGapsHeader } from '../../../support/history/history-gaps.ts';
import { requireHistory } from '../../../support/history/history-query.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { moveRange, readHourlyPrices } from './query.ts';
import { PriceMoves, PriceMovesQuery } from './schema.ts';

const DEFAULT_SIZE = '0.1';
const WINDOW_HOURS = [1n, 24n, 168n];
const HOUR_SECONDS = 3_600n;

export const getPriceMoves: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/prices/:mint/moves',
      defineOperation(
        {
          operationId: 'getPriceMoves',
          tag: 'chain',
          summary: 'Largest past moves of a price',
          description:
            'How far the price of a token, in USD or in another token, fell and rose within an hour, a day and seven days of the last 365 days, and how often it moved by a size. Compares the last recorded price of each hour, so that moves within an hour are not seen. `sampledHours` says how much is recorded; x-gaps lists what is missing.',
          weight: 5,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ mint: describe(AddressString, 'Mint of the token') }),
          querystring: PriceMovesQuery,
          response: PriceMoves,
        },
      ),
      async ({ params, query: { against, size = DEFAULT_SIZE } }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireHistory(cluster);
        const range = moveRange(cluster.reader.at().unix);
        await setSampleGapsHeader(reply, history, range);
        const pair = {
          mint: toAddress(params.mint),
          against: against === undefined ? undefined : toAddress(against),
        };
        const points = await readHourlyPrices(history, pair, range);
        return {
          mint: pair.mint,
          against: pair.against ?? null,
          size,
          sampledHours: points.length,
          firstSample: points[0] === undefined ? null : formatIsoInstant(points[0].at),
          windows: WINDOW_HOURS.map((hours) => windowJson(points, hours, size)),
        };
      },
    );
  };

function windowJson(
  points: readonly PricePoint[],
  hours: bigint,
  size: string,
): Static<typeof PriceMoves>['windows'][number] {
  const seconds = hours * HOUR_SECONDS;
  const isKnown = points.length > 1;
  const { falls, rises } = viewPriceMoves(points, { seconds, size: parseDecimal(size) });
  return {
    hours: Number(hours),
    largestFall: moveJson(falls.largest),
    largestRise: moveJson(rises.largest),
    // of one price alone nobody knows whether it moved
    falls: isKnown ? falls.count : null,
    rises: isKnown ? rises.count : null,
  };
}

const moveJson = (move: PriceMove | undefined) =>
  move === undefined
    ? null
    : {
        change: formatSeriesRatio(move.change),
        start: formatIsoInstant(move.from),
        end: formatIsoInstant(move.to),
      };
