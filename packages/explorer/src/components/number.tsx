import { useRef } from 'preact/hooks';
import {
  formatAmount,
  formatFull,
  formatPercent,
  formatPrice,
  formatRatio,
  formatUsd,
  type NumberSource,
  type NumberText,
  type TickUnit,
} from '../format/number.ts';
import './number.css';

type Unknown = {
  /** Why there is no value; shown when `value` is missing. */
  readonly reason?: string | undefined;
  /** Not computed over its own period. */
  readonly isEstimated?: boolean;
};

type ValueProps = Unknown & { readonly value: NumberSource | null | undefined };

/** A token amount: `71.30 SOL`. */
export const Amount = ({ unit = '', ...props }: ValueProps & { readonly unit?: string }) => (
  <FormattedNumber {...props} format={(value) => formatAmount(value, unit)} />
);

/** Dollars: `$12.4M`. */
export const Usd = (props: ValueProps) => (
  <FormattedNumber {...props} format={(value) => formatUsd(value)} />
);

/** Dollars per token, with small values in full: `$0.05572`. */
export const Price = (props: ValueProps) => (
  <FormattedNumber {...props} format={(value) => formatPrice(value)} />
);

/** A price in another token, which is close to 1 for many pairs: `1.2318 SOL`. */
export const Ratio = ({ unit, ...props }: ValueProps & { readonly unit: string }) => (
  <FormattedNumber {...props} format={(value) => formatRatio(value, unit)} />
);

/** A fraction in percent: `5.21 %`. */
export const Percent = (props: ValueProps) => (
  <FormattedNumber {...props} format={(value) => formatPercent(value)} />
);

/** Beside a crosshair: not abbreviated. */
export const FullNumber = ({ unit, ...props }: ValueProps & { readonly unit: TickUnit }) => (
  <FormattedNumber {...props} format={(value) => formatFull(value, unit)} />
);

type FormattedProps = ValueProps & { readonly format: (value: NumberSource) => NumberText };

/** The exact value is shown on hover and focus (`data-hint`) and copied instead of the short one (`data-exact`). */
function FormattedNumber({ value, format, reason, isEstimated = false }: FormattedProps) {
  const previous = useRef<string | undefined>(undefined);
  if (value === undefined || value === null) return <Unknown reason={reason} />;
  const { short, exact, plain } = format(value);
  const isChanged = previous.current !== undefined && previous.current !== short;
  previous.current = short;
  return (
    <data
      key={short}
      value={plain}
      data-exact={plain}
      data-hint={isEstimated ? `${exact} (estimated)` : exact}
      class={`number${isChanged ? ' changed' : ''}`}
    >
      {short}
      {isEstimated && <abbr title="estimated">*</abbr>}
    </data>
  );
}

/** Stands for a value that is not known. */
export const Unknown = ({ reason = 'not known' }: { readonly reason?: string | undefined }) => (
  <span class="number unknown" data-hint={reason}>
    <span aria-hidden="true">—</span>
    <span class="visually-hidden">{reason}</span>
  </span>
);
