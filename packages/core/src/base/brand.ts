declare const brand: unique symbol;

/** A primitive type with a nominal tag. Only its constructor casts to it. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
