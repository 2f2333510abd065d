declare const brand: unique symbol;

/** A primitive that cannot be mixed up with another of the same kind. Only its own constructor casts to it. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
