import fc from 'fast-check';
import { type JsonSchema, type OpenApiDocument, resolveSchema } from './openapi-operations.ts';

export type KnownAddresses = { readonly all: readonly string[] };

type ValueContext = { readonly document: OpenApiDocument; readonly addresses: KnownAddresses };

/** Values that the schema allows. Texts without a format are dates, amounts, names and addresses. */
export function validValues(given: JsonSchema, context: ValueContext): fc.Arbitrary<unknown> {
  const schema = resolveSchema(given, context.document);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((option) => validValues(option, context)));
  }
  if (given.$ref?.endsWith('/Base58Address')) return fc.constantFrom(...context.addresses.all);
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, context)));
}

function valuesOfType(
  type: string,
  schema: JsonSchema,
  context: ValueContext,
): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 1_000_000, maxItems = 5, items = {}, maxLength = 100 } = schema;
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) });
    case 'number':
      return fc.oneof(fc.integer({ min: minimum, max: 2 ** 31 }), epochMilliseconds);
    case 'array':
      return fc.array(validValues(items, context), {
        minLength: 1,
        maxLength: Math.min(maxItems, 5),
      });
    case 'object':
      return objectsOf(schema, context);
    default:
      return plainTexts(context).map((text) => text.slice(0, maxLength));
  }
}

function objectsOf(schema: JsonSchema, context: ValueContext): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, validValues(property, context)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] });
}

/** Around the time of the simulated history, and far from it. */
const epochMilliseconds = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map((days) => Date.now() - days * 86_400_000),
  fc.integer({ min: -8_640_000_000_000, max: 8_640_000_000_000 }),
);

const plainTexts = ({ addresses }: ValueContext): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...addresses.all),
    epochMilliseconds.map((ms) => new Date(ms).toISOString()),
    fc.constantFrom(
      '2024-01-01',
      'USDC',
      'SOL',
      'deposit',
      'withdraw',
      'borrow',
      '0.01',
      '1',
      'max',
    ),
    fc.integer({ min: 0, max: 1_000_000 }).map((units) => String(units / 1000)),
  );
