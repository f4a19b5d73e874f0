/** The parts of the converter and of a Postman collection that the test uses. */
declare module 'openapi-to-postmanv2' {
  interface Pair {
    readonly key: string;
    readonly value: string;
    readonly disabled?: boolean;
  }

  export interface PostmanRequest {
    readonly name: string;
    readonly method: string;
    readonly url: {
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly Pair[];
      readonly variable: readonly Pair[];
    };
    readonly header?: readonly Pair[];
    readonly auth?: { readonly apikey?: readonly Pair[] } | null;
    readonly body?: { readonly raw?: string };
  }

  /** A request, or a folder of them. */
  export interface PostmanItem {
    readonly item?: readonly PostmanItem[];
    readonly request?: PostmanRequest;
  }

  interface Conversion {
    readonly result?: boolean;
    readonly reason?: string;
    readonly output?: readonly { readonly data: PostmanItem }[];
  }

  interface Converter {
    convertV2(
      input: { readonly type: 'json'; readonly data: object },
      options: { readonly parametersResolution: 'Example' | 'Schema' },
      callback: (err: Error | null, conversion?: Conversion) => void,
    ): void;
  }

  const converter: Converter;
  export default converter; // oxlint-disable-line import/no-default-export -- a CommonJS module's exports are one value
}
