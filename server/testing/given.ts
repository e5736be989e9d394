// What a test goes on with, such as the id in an answer: where it is missing that is the fault, not what some other value leads to.
export { given } from '../given.ts';
