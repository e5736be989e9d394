import { type AnyEndpoint, arrayField, basePath, pathFields, type WireInput } from './endpoint.ts';

/** What an idempotency key may be. */
export const LONGEST_KEY = 200;
export const keyPattern = /^[\x21-\x7e]+$/;

/** A call as it goes over HTTP. `url` is relative to the server's origin. */
export interface WireRequest {
  method: 'GET' | 'POST';
  url: string;
  contentType: string | null;
  body: string | null;
}

/** Key-value form; arrays are repeated keys without brackets; null and undefined are left out. */
function formOf(values: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null)
        form.append(key, typeof one === 'object' ? JSON.stringify(one) : String(one));
    }
  }
  return form;
}

/** An empty list is said by one empty text: no key at all says nothing of it. */
const sayingEmpty = ([key, value]: [string, unknown]): [string, unknown] => [
  key,
  Array.isArray(value) && value.length === 0 ? '' : value,
];

/** Turns a call and its input into an HTTP request: path fields into the path, the rest as the call's `body` says. */
export function requestFor<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>): WireRequest {
  const rest: Record<string, unknown> = Object.fromEntries(Object.entries(input ?? {}));
  let path = `${basePath(endpoint)}${endpoint.path}`;
  for (const name of pathFields(endpoint)) {
    path = path.replace(`{${name}}`, encodeURIComponent(String(rest[name] ?? '')));
    delete rest[name];
  }
  const method = endpoint.verb;
  if (method === 'GET') {
    const search = formOf(rest).toString();
    return { method, url: search ? `${path}?${search}` : path, contentType: null, body: null };
  }
  if (endpoint.body === 'form')
    return {
      method,
      url: path,
      contentType: 'application/x-www-form-urlencoded',
      body: formOf(rest).toString(),
    };
  if (endpoint.body === 'none') return { method, url: path, contentType: null, body: null };
  if (endpoint.body === 'json')
    return { method, url: path, contentType: 'application/json', body: JSON.stringify(rest) };
  const { [arrayField(endpoint)]: list, ...beside } = rest;
  const search = formOf(Object.fromEntries(Object.entries(beside).map(sayingEmpty))).toString();
  const url = search ? `${path}?${search}` : path;
  return { method, url, contentType: 'application/json', body: JSON.stringify(list) };
}
