/** Compiles with `true` only when the two types are the same, and with `false` only when they differ. */
export function same<A, B>(_areTheSame: Same<A, B>): void {}

// oxlint-disable typescript/no-unnecessary-type-parameters
type Same<A, B> =
  (<T>() => T extends Simple<A> ? 1 : 2) extends <T>() => T extends Simple<B> ? 1 : 2
    ? true
    : false;

/** Without the difference between an interface and a type literal. */
type Simple<T> = { [Key in keyof T]: T[Key] };
