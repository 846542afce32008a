package shisanzhi;

import shisanzhi.v1.LocalizedText;

/** A language that the service speaks. */
public enum Language {
  /** Chinese in traditional characters. */
  ZH_HANT,
  /** English. */
  EN;

  /** Picks this language of a text. */
  public String of(LocalizedText text) {
    return this == ZH_HANT ? text.getZhHant() : text.getEn();
  }
}
