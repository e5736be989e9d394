const isBall = (number: string): boolean =>
  /^\d{1,2}$/.test(number) && Number(number) >= 1 && Number(number) <= 80;

/**
 * Sources of 北京快乐8 write the 飞盘 behind the twenty numbers, a twenty-first that multiplies prizes and is none of what is drawn: it is
 * left out. No other game has so many numbers, twenty different ones of eighty and one more.
 */
export function withoutSaucer(numbers: string): string {
  const all = numbers.split(',');
  const drawn = all.slice(0, 20);
  const isHappy8 = all.length === 21 && all.every(isBall) && new Set(drawn.map(Number)).size === 20;
  return isHappy8 ? drawn.join(',') : numbers;
}
