import { Percent, Price, Ratio } from '../../components/number.tsx';
import { Message } from '../../components/panel.tsx';
import { listNames } from '../../format/list-names.ts';
import { formatCount, formatPercent } from '../../format/number.ts';
import type { FigureRisk, PastMoves } from '../../loans/liquidation-risk.ts';
import type { LoanRisk } from './preview-risk.ts';

/** What can liquidate the loan after the transaction, and how likely that is by what the prices did before. */
export const RiskMessages = ({ level, isLiquidatable, isCloser, figures }: LoanRisk) => (
  <>
    {isLiquidatable && (
      <Message tone="danger">
        <p>
          <strong>Below the liquidation threshold.</strong> After this transaction the loan can be
          liquidated at once.
        </p>
      </Message>
    )}
    {figures.map((risk) => (
      <Message key={risk.figure.mint} tone={isCloser ? toneOf(risk) : 'warning'}>
        <p>
          <strong>{titleOf(risk)}.</strong> <Distance {...risk} /> <Past {...risk} />
        </p>
      </Message>
    ))}
    {!isCloser && level !== 'none' && (
      <p class="weak">This transaction does not bring the loan closer to its liquidation.</p>
    )}
  </>
);

function titleOf({ level, past }: FigureRisk): string {
  if (past === undefined) {
    return level === 'danger' ? 'Close to liquidation' : 'Not far from liquidation';
  }
  return `A move like one of the past can liquidate it within a ${level === 'danger' ? 'day' : 'week'}`;
}

const toneOf = ({ level }: FigureRisk) => (level === 'danger' ? 'danger' : 'warning');

function Distance({ figure: { symbol, against, change, price, along } }: FigureRisk) {
  const isFall = change.startsWith('-');
  return (
    <>
      After it, {isFall ? 'a fall' : 'a rise'} of {symbol} by{' '}
      <Percent value={change.replace('-', '')} /> to{' '}
      {against === undefined ? (
        <Price value={price} />
      ) : (
        <Ratio value={price} unit={against.symbol} />
      )}
      {along.length > 0 && `, with ${listNames(along)} moving along,`} lets anyone liquidate the
      loan.
    </>
  );
}

const Past = ({ figure, past, sampledHours = 0, limits }: FigureRisk) =>
  past === undefined ? (
    <>
      Only {formatCount(sampledHours)} hours of this price are recorded, too few to judge by. So
      fixed limits apply: {formatPercent(limits.warning).short} for a warning,{' '}
      {formatPercent(limits.danger).short} to confirm.
    </>
  ) : (
    <PastSentence past={past} isFall={figure.change.startsWith('-')} hours={sampledHours} />
  );

type PastProps = {
  readonly past: PastMoves;
  readonly isFall: boolean;
  readonly hours: number;
};

const HOURS_A_DAY = 24;

const PastSentence = ({ past, isFall, hours }: PastProps) => (
  <>
    In the {formatCount(Math.floor(hours / HOURS_A_DAY))} days that are recorded it{' '}
    {isFall ? 'fell' : 'rose'} by up to <Percent value={past.hour} /> within an hour,{' '}
    <Percent value={past.day} /> within a day and <Percent value={past.week} /> within a week, and{' '}
    {timesText(past.timesInADay)} by <Percent value={past.size} /> or more within a day.
  </>
);

const timesText = (times: number): string =>
  times === 0 ? 'never' : times === 1 ? 'once' : `${formatCount(times)} times`;
