/**
 * Numbers and texts of documents, whose JSON Schemas are made of their types (scripts/document-schemas.js): the comment
 * of each type here is its unit; tags are keywords of JSON Schema, or its values, and `@definition` is its name there.
 */

/**
 * @definition count
 * @integer
 * @minimum 0
 */
export type Count = number;

/** @minimum 0 */
export type Amount = number;

/** @integer */
export type Integer = number;

/**
 * from 1
 * @integer
 * @minimum 1
 */
export type Position = number;

/**
 * ms
 * @minimum 0
 */
export type Ms = number;

/** ms */
export type Offset = number;

/**
 * ms
 * @exclusiveMinimum 0
 */
export type Interval = number;

/**
 * B
 * @minimum 0
 */
export type Bytes = number;

/**
 * B/s
 * @minimum 0
 */
export type ByteRate = number;

/**
 * /s
 * @minimum 0
 */
export type Rate = number;

/**
 * ratio
 * @minimum 0
 * @maximum 1
 */
export type Share = number;

/**
 * ratio
 * @minimum 0
 */
export type Ratio = number;

/** ratio */
export type Change = number;

/**
 * cores
 * @minimum 0
 */
export type Cores = number;

/**
 * %
 * @minimum 0
 * @maximum 100
 */
export type Percentage = number;

/**
 * a date with a time in UTC, such as 2030-01-31T12:00:00.000Z
 * @pattern ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$
 */
export type Instant = string;

/**
 * a status of three digits, or other
 * @pattern ^([0-9]{3}|other)$
 */
export type StatusName = string;

/** @values ["ms", "ratio", "/s", "B", "B/s", "cores", ""] */
export type FigureUnit = string;
