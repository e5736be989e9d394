import { useSearchParams } from 'react-router';

/** The row whose page the address names; nothing where it names none. */
export function useRowId(): number | undefined {
  const [params] = useSearchParams();
  const id = params.get('id') ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}
