import { growthPower } from '../ledger/decimal-power.ts';
import {
  type Decimal50,
  divide,
  multiply,
  parseDecimal50,
  toDecimal50,
} from '../reference/reference-lending.ts';

const TOKEN = /\d+(?:\.\d+)?|[A-Za-z]\w*|[-+*/^()]/g;
const ONE = toDecimal50(1n);

/** Evaluates sums, products, powers and parentheses with 50 decimals, by the schoolbook rules. */
export function evaluate(text: string, known: ReadonlyMap<string, Decimal50>): Decimal50 {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.join('') !== text.replaceAll(' ', '')) throw new Error(`unexpected text in ${text}`);
  let position = 0;
  const next = () => tokens[position++] ?? '';
  const isNext = (...operators: string[]) => operators.includes(tokens[position] ?? '');

  const sum = (): Decimal50 => {
    let value = product();
    while (isNext('+', '-')) value = next() === '+' ? value + product() : value - product();
    return value;
  };
  const product = (): Decimal50 => {
    let value = power();
    while (isNext('*', '/')) {
      value = next() === '*' ? multiply(value, power()) : divide(value, power());
    }
    return value;
  };
  const power = (): Decimal50 => {
    const base = operand();
    if (!isNext('^')) return base;
    next();
    return growthPower(base, [operand(), ONE]);
  };
  const operand = (): Decimal50 => {
    const token = next();
    if (token === '(') {
      const value = sum();
      if (next() !== ')') throw new Error(`a parenthesis is not closed in ${text}`);
      return value;
    }
    if (/^\d/.test(token)) return parseDecimal50(token);
    const value = known.get(token);
    if (value === undefined) throw new Error(`${token} is not known in ${text}`);
    return value;
  };
  const value = sum();
  if (position < tokens.length) throw new Error(`unexpected ${tokens[position]} in ${text}`);
  return value;
}
