import { type AnyEndpoint, basePath, pathFields, type WireInput } from './endpoint.ts';

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
  const json = endpoint.body === 'array' ? Object.values(rest)[0] : rest;
  return { method, url: path, contentType: 'application/json', body: JSON.stringify(json) };
}
