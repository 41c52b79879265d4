/** The same record with members that can be replaced: one under construction, or one that grows in place. */
export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
