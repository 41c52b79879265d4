/** OpenAPI document as the API reference shows it. */

/**
 * Returns a copy without what the component would fill in wrongly: a value for each optional parameter, which would
 * make every read wait for the receipt of the example hash, and a member `additionalProp1` in each example body.
 */
export function pageDocument(document: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === "additionalProperties" && value === true) return undefined;
    return isOptionalParameter(value) ? { ...value, example: undefined } : value;
  }) as Readonly<Record<string, unknown>>;
}

function isOptionalParameter(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && "in" in value && "required" in value && value.required === false
  );
}
