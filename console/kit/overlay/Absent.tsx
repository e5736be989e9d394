import './absent.css';

/** In place of a value that a row has not. */
export const Absent = () => <span className="absent">—</span>;
