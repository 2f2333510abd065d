import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

type Serialize = (value: unknown) => string;

const serializers = new WeakMap<TSchema, Serialize>();
const validators = new WeakMap<TSchema, Validator>();

/** Compiles on first use, so that a start does not wait for operations that nobody calls. */
export function lazySerializer(schema: TSchema): Serialize {
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= serializerOf(schema);
    return serialize(value);
  };
}

/** Compiles each schema once per process. */
export function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator: Validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}

function serializerOf(schema: TSchema): Serialize {
  const known = serializers.get(schema);
  if (known !== undefined) return known;
  const serialize = fastJsonStringify(schema);
  serializers.set(schema, serialize);
  return serialize;
}
