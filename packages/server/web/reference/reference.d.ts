/** The reference of an operation of an OpenAPI document as HTML: parameters, body and answers. */
export function referenceHtml(api: object, operationId: string): string;
