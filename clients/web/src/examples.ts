import { Category } from "shisanzhi";

/** A hand for each category, with 7 as the bonus rank; the tests have the service judge them. */
export const EXAMPLES: Partial<Record<Category, string>> = {
  [Category.FIVE_OF_A_KIND]: "9s 9s 9h 9d 9c",
  [Category.STRAIGHT_FLUSH]: "Kh Qh Jh Th 9h",
  [Category.BONUS_QUADS]: "7s 7s 7h 7d Kc",
  [Category.QUADS]: "Js Jh Jd Jc 4h",
  [Category.BONUS_FULL_HOUSE]: "7s 7h 7d Kc Kh",
  [Category.FULL_HOUSE]: "Ks Kh Kd 4c 4h",
  [Category.PAIR_FLUSH]: "Qs Qs 9s 5s 2s",
  [Category.FLUSH]: "Ad Jd 9d 6d 3d",
  [Category.STRAIGHT]: "6s 5h 4d 3c 2h",
  [Category.BONUS_TRIPS]: "7s 7h 7d Ah 3c",
  [Category.TRIPS]: "8s 8h 8d Kh 3c",
  [Category.TWO_PAIR]: "As Ah 6d 6c 9h",
  [Category.PAIR]: "Qh Qd 9s 6c 2h",
  [Category.HIGH_CARD]: "Ah Jd 8s 6c 2h",
};
export const EXAMPLE_CUT = "7c";
