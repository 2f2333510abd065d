/** A field with its offset in the struct. */
type StructField = {
  readonly name: string;
  readonly at: number;
  readonly field: {
    decodeShared(source: DataView, offset: number): unknown;
    view(source: DataView, offset: number): unknown;
  };
};

type Reader = (source: DataView, offset: number) => object;
type ViewClass = (new (
  source: DataView,
  offset: number,
) => object) & {
  /** The bytes of a view; undefined for any other object. */
  locate(view: object): ViewBytes | undefined;
};

type ViewBytes = { readonly source: DataView; readonly offset: number };

/**
 * Compiles a function that reads all fields into an object.
 *
 * Each struct gets generated code. A shared loop sees thousands of object shapes, so the engine cannot optimize
 * it and it takes two to three times as long. Field names come only from the layouts in this package. Where the
 * runtime forbids generated code, the loop is the fallback.
 */
export function compileStructReader(fields: readonly StructField[]): Reader {
  const parts = fields.map(
    ({ name, at }, i) => `${JSON.stringify(name)}: f${i}.decodeShared(source, offset + ${at})`,
  );
  return (
    compile<Reader>(fields, `return (source, offset) => ({ ${parts.join(', ')} });`) ?? readFields
  );

  function readFields(source: DataView, offset: number): object {
    return Object.fromEntries(
      fields.map(({ name, at, field }) => [name, field.decodeShared(source, offset + at)]),
    );
  }
}

/** Compiles a class with one getter per field on its prototype, so creating a view allocates one small object. */
export function compileViewClass(fields: readonly StructField[]): ViewClass {
  const getters = fields.map(
    ({ name, at }, i) =>
      `get ${JSON.stringify(name)}() { return f${i}.view(this.#source, this.#offset + ${at}); }`,
  );
  const code = `return class StructView {
    #source;
    #offset;
    constructor(source, offset) { this.#source = source; this.#offset = offset; }
    static locate(view) {
      return #source in view ? { source: view.#source, offset: view.#offset } : undefined;
    }
    ${getters.join('\n')}
  };`;
  return compile<ViewClass>(fields, code) ?? uncompiledViewClass(fields);
}

/** Returns undefined where generated code is forbidden (`--disallow-code-generation-from-strings`, a page's CSP). */
function compile<Compiled>(fields: readonly StructField[], code: string): Compiled | undefined {
  try {
    const factory = new Function(...fields.map((_, i) => `f${i}`), `'use strict'; ${code}`);
    return factory(...fields.map(({ field }) => field)) as Compiled;
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}

function uncompiledViewClass(fields: readonly StructField[]): ViewClass {
  class StructView {
    readonly #source: DataView;
    readonly #offset: number;

    constructor(source: DataView, offset: number) {
      this.#source = source;
      this.#offset = offset;
    }

    static locate(view: object): ViewBytes | undefined {
      return #source in view ? { source: view.#source, offset: view.#offset } : undefined;
    }

    static read(view: StructView, { field, at }: StructField): unknown {
      return field.view(view.#source, view.#offset + at);
    }
  }
  for (const structField of fields) {
    Object.defineProperty(StructView.prototype, structField.name, {
      get(this: StructView) {
        return StructView.read(this, structField);
      },
    });
  }
  return StructView;
}
