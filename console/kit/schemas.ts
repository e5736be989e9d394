import type { z as zod } from 'zod';

// What the console takes for zod (`vite.config.ts` puts it in its place): schemas that describe and check nothing. The server checks; the
// console asks which fields there are and what is said of them, and making zod's own took a good part of every first visit.

type Meta = zod.core.GlobalMeta;
type Shape = Readonly<Record<string, ZodType>>;
type Names = Readonly<Record<string, unknown>>;

class ZodType {
  private said: Meta | undefined;

  /** What is said of a schema; given more, another schema of which that is said too. */
  meta(more?: Meta): ZodType | Meta | undefined {
    if (!more) return this.said;
    const other: ZodType = Object.assign(Object.create(Object.getPrototypeOf(this)), this);
    other.said = { ...this.said, ...more };
    return other;
  }
  optional(): ZodOptional {
    return new ZodOptional(this);
  }
  nullable(): ZodNullable {
    return new ZodNullable(this);
  }
  default(value: unknown): ZodDefault {
    return new ZodDefault(this, { defaultValue: value });
  }
}

// What is checked of a value is no part of what it is.
for (const check of ['trim', 'min', 'max', 'regex', 'refine', 'superRefine', 'overwrite'])
  Object.defineProperty(ZodType.prototype, check, {
    value(this: ZodType) {
      return this;
    },
  });

class Wrapped extends ZodType {
  private readonly inner: ZodType;
  constructor(inner: ZodType) {
    super();
    this.inner = inner;
  }
  unwrap(): ZodType {
    return this.inner;
  }
}
class ZodOptional extends Wrapped {}
class ZodNullable extends Wrapped {}
class ZodDefault extends Wrapped {
  readonly def: { readonly defaultValue: unknown };
  constructor(inner: ZodType, def: ZodDefault['def']) {
    super(inner);
    this.def = def;
  }
}

class ZodPipe extends ZodType {
  readonly out: ZodType;
  constructor(out: ZodType) {
    super();
    this.out = out;
  }
}

class ZodArray extends ZodType {
  readonly element: ZodType;
  constructor(element: ZodType) {
    super();
    this.element = element;
  }
}

/** One of several codes, or of several schemas. */
class ZodOneOf extends ZodType {
  readonly options: readonly unknown[];
  constructor(options: readonly unknown[]) {
    super();
    this.options = options;
  }
}

class ZodUnion extends ZodOneOf {}
class ZodRecord extends ZodType {}
class ZodUnknown extends ZodType {}

/** The fields of a shape whose names are wanted, unread: one that holds rows like its own is known only when all are made. */
function fieldsOf(shape: Shape, wanted: (name: string) => boolean): PropertyDescriptorMap {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(shape));
  return Object.fromEntries(fields.filter(([name]) => wanted(name)));
}

class ZodObject extends ZodType {
  readonly shape: Shape;
  constructor(shape: Shape) {
    super();
    this.shape = shape;
  }
  private with(more: Shape, wanted: (name: string) => boolean): ZodObject {
    const fields = { ...fieldsOf(this.shape, wanted), ...Object.getOwnPropertyDescriptors(more) };
    return new ZodObject(Object.defineProperties({}, fields));
  }
  extend(more: Shape): ZodObject {
    return this.with(more, () => true);
  }
  pick(names: Names): ZodObject {
    return this.with({}, (name) => name in names);
  }
  omit(names: Names): ZodObject {
    return this.with({}, (name) => !(name in names));
  }
}

const value = () => new ZodType();
const object = (shape: Shape) => new ZodObject(shape);
const union = (options: readonly unknown[]) => new ZodUnion(options);

export const z = {
  ...{ ZodType, ZodObject, ZodArray, ZodOptional, ZodNullable, ZodDefault, ZodPipe },
  ...{ ZodUnion, ZodRecord, ZodUnknown },
  ...{ string: value, int: value, boolean: value, literal: value, base64: value, tuple: value },
  ...{ unknown: () => new ZodUnknown(), record: () => new ZodRecord() },
  ...{ object, strictObject: object, union },
  enum: (options: readonly unknown[]) => new ZodOneOf(options),
  array: (element: ZodType) => new ZodArray(element),
  discriminatedUnion: (_by: string, options: readonly ZodType[]) => union(options),
  preprocess: (_read: unknown, out: ZodType) => new ZodPipe(out),
  config: () => undefined,
};
