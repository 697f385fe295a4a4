// Every text of the page, in English and in German, in one table.
//
// {0}, {1} ... are replaced. A text with "|" has a form for one and a form for other numbers, chosen by {0}.

export type Language = "en" | "de";
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

const TABLE = {
  // ---- the page
  title: ["Patchwork Arena", "Patchwork Arena"], navigation: ["Views", "Ansichten"],
  play: ["Play", "Spielen"], analyse: ["Analyse", "Analyse"], learn: ["Learn", "Lernen"], watch: ["Watch", "Zusehen"],
  settings: ["Settings", "Einstellungen"], language: ["Language", "Sprache"], theme: ["Colours", "Farben"],
  "theme-auto": ["as the system", "wie das System"], "theme-light": ["light", "hell"], "theme-dark": ["dark", "dunkel"],
  close: ["Close", "Schließen"], help: ["Keys and help", "Tasten und Hilfe"],
  failed: ["The board could not start: {0}.", "Das Brett konnte nicht starten: {0}."],
  trouble: ["Something went wrong", "Etwas ist schiefgegangen"],
  // ---- the tutorial
  "lesson-number": ["Step {0} of {1}", "Schritt {0} von {1}"],
  "lesson-back": ["Back", "Zurück"], "lesson-next": ["Next", "Weiter"], "lesson-skip": ["Skip", "Überspringen"],
  "lesson-show": ["Show me", "Zeig es mir"], "lesson-play": ["Play a game", "Eine Partie spielen"],
  "lesson-done": ["Well done.", "Gut gemacht."],
  "lesson-missed": ["That move is legal, but it does something else. It is taken back; try again, or press “Show me”.",
    "Der Zug ist erlaubt, bewirkt aber etwas anderes. Er ist zurückgenommen; versuche es noch einmal, oder drücke "
      + "„Zeig es mir“."],
  "lesson-read-title": ["Two quilts", "Zwei Decken"],
  "lesson-read": ["You sew patches onto your quilt of nine by nine squares; the other quilt is your opponent's. At the "
      + "end a button is worth one point, and each square that is still empty costs two.",
    "Du nähst Flicken auf deine Decke aus neun mal neun Feldern; die andere Decke gehört dem Gegner. Am Ende zählt "
      + "jeder Knopf einen Punkt, und jedes leere Feld kostet zwei."],
  "lesson-pick-title": ["Pick up a patch", "Nimm einen Flicken"],
  "lesson-pick": ["You may buy one of the three patches in front of the wooden marker. Below each are its price in "
      + "buttons, the time it takes, and the income it earns. Press one of them, or 1, 2 or 3.",
    "Du darfst einen der drei Flicken vor der Holzfigur kaufen. Darunter stehen sein Preis in Knöpfen, seine Zeit und "
      + "sein Einkommen. Drücke auf einen, oder auf 1, 2 oder 3."],
  "lesson-place-title": ["Sew it on", "Nähe ihn auf"],
  "lesson-place": ["The bright squares are those that it can cover. Turn and flip it with the buttons or with R and F, "
      + "then drop it where it fits. Patches without gaps between them are worth the most.",
    "Die hellen Felder kann er bedecken. Drehe und wende ihn mit den Knöpfen oder mit R und F, und lege ihn dann ab, "
      + "wo er passt. Am meisten bringen Flicken ohne Lücken dazwischen."],
  "lesson-advance-title": ["Earn buttons", "Verdiene Knöpfe"],
  "lesson-advance": ["Instead of buying you can advance: your token moves to the space in front of your opponent's, "
      + "and you earn one button for each space. Press Advance, or A.",
    "Statt zu kaufen, kannst du vorrücken: Deine Figur zieht auf das Feld vor der des Gegners, und du erhältst einen "
      + "Knopf für jedes Feld. Drücke auf Vorrücken, oder auf A."],
  "lesson-income-title": ["Income", "Einkommen"],
  "lesson-income": ["A patch moves your token by its time. When the token passes a blue button on the track, you "
      + "receive one button for each that is sewn onto your quilt. Make a move that passes one.",
    "Ein Flicken rückt deine Figur um seine Zeit vor. Überschreitet sie einen blauen Knopf der Zeitleiste, erhältst "
      + "du einen Knopf für jeden, der auf deine Decke genäht ist. Mache einen solchen Zug."],
  "lesson-again-title": ["Who moves?", "Wer ist am Zug?"],
  "lesson-again": ["Whoever is behind on the track moves, often several times in a row. Frames on the track show where "
      + "each move leads. Make a move after which you move again.",
    "Am Zug ist, wer auf der Zeitleiste hinten liegt, oft mehrmals nacheinander. Rahmen zeigen, wohin jeder Zug "
      + "führt. Mache einen Zug, nach dem du noch einmal am Zug bist."],
  "lesson-special-title": ["Special patches", "Spezialflicken"],
  "lesson-special": ["The small leather patches on the track belong to whoever passes them first. Make a move that "
      + "passes one.",
    "Die kleinen Lederflicken auf der Zeitleiste gehören dem, der sie als Erster überschreitet. Mache einen Zug über "
      + "einen solchen."],
  "lesson-sew-title": ["Fill a gap", "Fülle eine Lücke"],
  "lesson-sew": ["A special patch covers one square and costs nothing. It is placed at once. Put it where no other "
      + "patch would fit.",
    "Ein Spezialflicken bedeckt ein Feld und kostet nichts. Er wird sofort gelegt. Lege ihn dorthin, wo kein anderer "
      + "Flicken passt."],
  "lesson-seven-title": ["Seven by seven", "Sieben mal sieben"],
  "lesson-seven": ["Who first fills an area of seven by seven squares gets seven points at the end. One of your moves "
      + "does it now.",
    "Wer als Erster eine Fläche von sieben mal sieben Feldern füllt, erhält am Ende sieben Punkte. Einer deiner Züge "
      + "schafft es jetzt."],
  "lesson-end-title": ["The end", "Das Ende"],
  "lesson-end": ["The game is over when both tokens are in the middle of the track. Here you have won 34 to 15: "
      + "buttons, plus seven for the full area, minus two for each empty square. Now play a game of your own.",
    "Die Partie ist zu Ende, wenn beide Figuren in der Mitte der Zeitleiste stehen. Hier hast du 34 zu 15 gewonnen: "
      + "Knöpfe, plus sieben für die volle Fläche, minus zwei für jedes leere Feld. Spiele nun selbst eine Partie."],

  // ---- watching
  looking: ["The server is asked ...", "Der Server wird gefragt ..."],
  "no-results": ["There are no results yet.", "Es gibt noch keine Ergebnisse."],
  progress: ["running: {0} of {1} games", "läuft: {0} von {1} Partien"],
  stopped: ["stopped: {0} of {1} games", "angehalten: {0} von {1} Partien"],
  "games-finished": ["{0} game|{0} games", "{0} Partie|{0} Partien"],
  agent: ["agent", "Agent"], elo: ["Elo", "Elo"], interval: ["95% interval", "95%-Intervall"],
  games: ["games", "Partien"], score: ["score", "Ergebnis"],
  earlier: ["earlier games", "frühere Partien"], "later-games": ["later games", "spätere Partien"],
  find: ["Find games: part of an agent's name, margin>=30, plies<40, ring=12, game=7, fault, upset",
    "Partien finden: Teil eines Namens, margin>=30, plies<40, ring=12, game=7, fault, upset"],
  found: ["{0} game found|{0} games found", "{0} Partie gefunden|{0} Partien gefunden"],
  live: ["Newest game, move by move", "Neueste Partie, Zug für Zug"], "live-off": ["Back to the list", "Zurück zur Liste"],
  "all-results": ["Watch another", "Andere ansehen"],
  report: ["Report", "Bericht"], list: ["All results", "Alle Ergebnisse"],

  // ---- my games
  "my-games": ["My games", "Partien"],
  "no-games": ["No game has been played or opened here yet.", "Hier wurde noch keine Partie gespielt oder geöffnet."],
  "name-it": ["Name it", "Benennen"], sort: ["Sort by", "Ordnen nach"], "by-when": ["last change", "letzter Änderung"],
  "by-made": ["begin", "Beginn"], "by-name": ["name", "Name"], "by-accuracy": ["accuracy", "Genauigkeit"],
  search: ["Find by words", "Nach Wörtern suchen"], "drop-game": ["Delete", "Löschen"],
  "game-dropped": ["The game “{0}” is deleted.", "Die Partie „{0}“ ist gelöscht."],
  "edits-dropped": ["The edited position is replaced.", "Die bearbeitete Stellung ist ersetzt."],
  "variation-dropped": ["The variation “{0}” is deleted.", "Die Variante „{0}“ ist gelöscht."],
  "bring-back": ["Bring it back", "Zurückholen"], "save-all": ["Save all as PGN", "Alle als PGN speichern"],
  won: ["won", "gewonnen"], "lost-game": ["lost", "verloren"],
  "storage-full": ["The browser has no room for another game. Save games as PGN and delete them under “My games”.",
    "Der Browser hat keinen Platz für weitere Partien. Speichere Partien als PGN und lösche sie unter „Partien“."],
  "storage-blocked": ["The browser keeps nothing for this page: games stay until it is closed.",
    "Der Browser speichert nichts für diese Seite: Partien bleiben, bis sie geschlossen wird."],
  "is-copy": ["Another tab has this game open; here it goes on as a copy.",
    "Ein anderer Tab hat diese Partie offen; hier geht sie als Kopie weiter."],
  "games-read": ["{0} game is opened.|{0} games are opened; the first is shown.",
    "{0} Partie ist geöffnet.|{0} Partien sind geöffnet; die erste ist zu sehen."],
  "game-of": ["Game {0} of {1}: {2}", "Partie {0} von {1}: {2}"],
  "no-variations": ["The text has variations in parentheses, which cannot be read. Leave them out.",
    "Der Text hat Varianten in Klammern, die nicht gelesen werden können. Lass sie weg."],
  "not-a-game": ["This is neither a game as PGN nor a link, a setup or a position: {0}",
    "Das ist weder eine Partie als PGN noch ein Link, ein Aufbau oder eine Stellung: {0}"],

  // ---- analysis
  evaluation: ["{0}: {1} to win, {2} points", "{0}: Gewinnchance {1}, {2} Punkte"],
  "no-evaluation": ["not evaluated yet", "noch nicht bewertet"],
  "game-over": ["The game is over.", "Die Partie ist vorbei."],
  searching: ["The search begins ...", "Die Suche beginnt ..."],
  "search-facts": ["{0} iterations, depth {1}", "{0} Iterationen, Tiefe {1}"],
  move: ["move", "Zug"], chance: ["to win", "Chance"], visits: ["visits", "Besuche"],
  "best-is": ["Best: {0}", "Am besten: {0}"],
  graph: ["Win probability of {0} through the game", "Gewinnchance von {0} im Verlauf"],
  "graph-expected": ["Win probability of {0} as both players expected it",
    "Gewinnchance von {0}, wie beide Spieler sie erwarteten"],
  analyst: ["Analysed by", "Analysiert von"], beside: ["and beside it by", "und daneben von"],
  thought: ["At move {0}, {1} expected to win with {2}", "Bei Zug {0} erwartete {1} eine Gewinnchance von {2}"],
  accuracy: ["accuracy", "Genauigkeit"],
  inaccuracy: ["inaccuracy", "Ungenauigkeit"], mistake: ["mistake", "Fehler"], blunder: ["blunder", "grober Fehler"],
  moves: ["Moves", "Züge"], "start-position": ["start", "Anfang"],
  "to-start": ["to the start", "zum Anfang"], back: ["one move back", "einen Zug zurück"],
  forward: ["one move on", "einen Zug weiter"], "go-on": ["Play", "Weiter"], pause: ["Pause", "Pause"],
  "to-end": ["to the end", "zum Ende"],
  "pace-1500": ["Speed: slow", "Tempo: langsam"], "pace-450": ["Speed: normal", "Tempo: normal"],
  "pace-0": ["Speed: fast", "Tempo: schnell"], "judge-game": ["Judge the game", "Partie beurteilen"],
  judging: ["{0} of {1} positions", "{0} von {1} Stellungen"], retry: ["Retry mistakes", "Fehler wiederholen"],
  "retry-now": ["This move was a mistake. Play a better one.", "Dieser Zug war ein Fehler. Spiele einen besseren."],
  "retry-waits": ["Your move is evaluated ...", "Dein Zug wird bewertet ..."],
  "retry-good": ["Better: {0} to win; the best that is known is {1}, the game had {2}.",
    "Besser: Chance {0}; das Beste, was bekannt ist, hat {1}, die Partie hatte {2}."],
  "retry-bad": ["Not yet: {0} to win; the best that is known is {1}, the game had {2}.",
    "Noch nicht: Chance {0}; das Beste, was bekannt ist, hat {1}, die Partie hatte {2}."],
  "other-side": ["Other side", "Andere Seite"], "last-move": ["Last: ", "Zuletzt: "],
  "heat-legend": ["blue: little regret; red: much", "blau: wenig Bedauern; rot: viel"],
  "heat-map": ["Regret map", "Karte des Bedauerns"], "drop-variation": ["Delete variation", "Variante löschen"],
  "why-title": ["is better than", "ist besser als"],
  "why-same": ["Both do the same now; the difference comes later.",
    "Beide bewirken jetzt dasselbe; der Unterschied kommt später."],
  "why-squares": ["squares covered: {0}", "belegte Felder: {0}"],
  "why-buttons": ["buttons in hand: {0}", "Knöpfe auf der Hand: {0}"], "why-income": ["income: {0}", "Einkommen: {0}"],
  "why-income_ahead": ["buttons from income still ahead: {0}", "Knöpfe aus kommendem Einkommen: {0}"],
  "why-time": ["spaces left on the track: {0}", "übrige Felder der Zeitleiste: {0}"],
  "why-specials": ["special patches: {0}", "Spezialflicken: {0}"],
  "why-points": ["points if the game ended now: {0}", "Punkte, wenn die Partie jetzt endete: {0}"],
  "why-holes": ["empty squares that nothing can cover any more: {0}", "leere Felder, die nichts mehr bedecken kann: {0}"],
  walk: ["Walk the search tree", "Suchbaum durchgehen"], root: ["root", "Wurzel"],
  leaf: ["The search has not gone further here.", "Weiter ist die Suche hier nicht gegangen."],
  exchange: ["Games as text: PGN, links, positions", "Partien als Text: PGN, Links, Stellungen"],
  "paste-here": ["A game as PGN, a link, a setup or a position",
    "Eine Partie als PGN, ein Link, ein Aufbau oder eine Stellung"],
  "read-text": ["Open it", "Öffnen"], "make-link": ["As a link", "Als Link"], "make-pgn": ["As PGN", "Als PGN"],
  "file-too-large": ["{0} is larger than {1} MB, so it is not a game.",
    "{0} ist größer als {1} MB, also keine Partie."],
  "save-pgn": ["Save PGN", "PGN speichern"],
  "open-file": ["A file; it can also be dropped on the page", "Eine Datei; sie kann auch auf die Seite gezogen werden"],
  "server-gone": ["The server does not answer. The game goes on in this page and is handed over when it answers.",
    "Der Server antwortet nicht. Die Partie geht auf dieser Seite weiter und wird übergeben, wenn er antwortet."],
  "server-not-there": ["The server does not answer.", "Der Server antwortet nicht."],
  kept: ["Kept as game {0} of {1}.", "Aufbewahrt als Partie {0} von {1}."], skip: ["To the board", "Zum Brett"],

  // ---- the position editor
  editor: ["Position editor", "Stellungseditor"], "edit-position": ["Edit this position", "Stellung bearbeiten"],
  accepted: ["A game can go on from this position.", "Von dieser Stellung aus kann man spielen."],
  "off-quilts": ["Patches on no quilt", "Flicken auf keiner Decke"],
  "on-quilt": ["Patches on the quilt of {0}", "Flicken auf der Decke von {0}"],
  "take-off": ["{0}: take it off", "{0}: abnehmen"],
  "moved-placed": ["{0} is placed on {1} squares.", "{0} liegt auf {1} Feldern."],
  "other-quilt": ["Other quilt", "Andere Decke"], "to-move": ["To move", "Am Zug"],
  "after-marker": ["First patch after the marker", "Erster Flicken nach der Figur"],
  nobody: ["nobody", "niemand"], arrived: ["First on the last space", "Zuerst auf dem letzten Feld"],
  waiting: ["Special patches to place now", "Jetzt zu legende Spezialflicken"],
  "specials-left": ["Special patches on the track", "Spezialflicken auf der Zeitleiste"],
  "play-on": ["Play on", "Weiterspielen"], "as-text": ["As text", "Als Text"],
  copied: ["Copied, if the browser allows it", "Kopiert, wenn der Browser es erlaubt"],
  "first-position": ["Starting position", "Anfangsstellung"],

  // ---- players and state
  first: ["first player", "erster Spieler"], second: ["second player", "zweiter Spieler"], you: ["You", "Du"],
  "person-number": ["Player {0}", "Spieler {0}"], "quilt-of": ["Quilt of {0}", "Decke von {0}"],
  buttons: ["{0} button|{0} buttons", "{0} Knopf|{0} Knöpfe"], spaces: ["{0} space|{0} spaces", "{0} Feld|{0} Felder"],
  "buttons-name": ["buttons", "Knöpfe"], "income-name": ["income", "Einkommen"], "points-name": ["points", "Punkte"],
  "space-name": ["space", "Feld"], points: ["{0} point|{0} points", "{0} Punkt|{0} Punkte"],
  empty: ["{0} empty square|{0} empty squares", "{0} leeres Feld|{0} leere Felder"],
  "empty-squares": ["empty squares", "leere Felder"], seven: ["7×7 bonus", "7×7-Bonus"],
  against: ["Against: {0}", "Gegner: {0}"],
  "points-why": ["points: buttons minus 2 for each empty square, so a game begins at −157",
    "Punkte: Knöpfe minus 2 für jedes leere Feld; eine Partie beginnt also bei −157"],
  "your-move": ["Your move", "Du bist am Zug"], "moves-now": ["{0} to move", "{0} am Zug"],
  thinks: ["{0} is thinking ...", "{0} denkt nach ..."],
  "place-special": ["Place your special patch", "Lege deinen Spezialflicken"],
  "you-win": ["You win {0} to {1}", "Du gewinnst {0} zu {1}"],
  "you-lose": ["{2} wins {0} to {1}", "{2} gewinnt {0} zu {1}"],
  "by-arrival": ["Equal points: the first on the last space wins.", "Gleichstand: Wer zuerst am Ziel war, gewinnt."],
  "state-player": ["{0}: space {1}, {2}, income {3}, {4}, {5}.", "{0}: Feld {1}, {2}, Einkommen {3}, {4}, {5}."],
  "state-offers": ["On offer: {0}.", "Im Angebot: {0}."],
  "state-offer": ["{0}: patch {1}, {2}, {3}, income {4}", "{0}: Flicken {1}, {2}, {3}, Einkommen {4}"],
  "state-none": ["No patches are left.", "Es sind keine Flicken mehr da."],
  "state-title": ["The game in words", "Die Partie in Worten"],

  // ---- track and ring
  track: ["Time track: {0} on space {1}, {2} on space {3} of 53",
    "Zeitleiste: {0} auf Feld {1}, {2} auf Feld {3} von 53"],
  ring: ["Ring: {0} patch left|Ring: {0} patches left", "Ring: noch {0} Flicken|Ring: noch {0} Flicken"],
  "ring-patch": ["Patch {0}: {1}, {2}, income {3}", "Flicken {0}: {1}, {2}, Einkommen {3}"],
  market: ["Patches on offer", "Flicken im Angebot"],

  // ---- moves
  patch: ["Patch {0}", "Flicken {0}"], special: ["special patch", "Spezialflicken"], advance: ["Advance", "Vorrücken"],
  "advance-about": ["Advance {0}, earn {1}", "{0} vorrücken, {1} erhalten"],
  "too-dear": ["costs {0}, you have {1}", "kostet {0}, du hast {1}"], "too-dear-short": ["{0} short", "{0} fehlen"],
  "no-room": ["no room", "kein Platz"],
  turn: ["Turn", "Drehen"], flip: ["Flip", "Wenden"], "put-back": ["Put back", "Zurück"], place: ["Place", "Legen"],
  undo: ["Undo", "Zurücknehmen"], redo: ["Redo", "Wieder"], hint: ["Hint", "Tipp"],
  "new-game": ["New game", "Neue Partie"], rematch: ["Rematch", "Revanche"],
  "analyse-game": ["Analyse this game", "Diese Partie analysieren"],
  "in-hand": ["{0} in hand: {1}.", "{0} in der Hand: {1}."], "at-squares": ["on {0}", "auf {0}"],
  illegal: ["does not fit here", "passt hier nicht"], legal: ["fits", "passt"],
  "off-quilt": ["Choose where it goes", "Wähle, wohin er soll"],
  "you-moved-advance": ["You advance {1} and earn {2}.", "Du rückst {1} vor und erhältst {2}."],
  "you-moved-buy": ["You buy patch {1} for {2} and place it on {3}.",
    "Du kaufst Flicken {1} für {2} und legst ihn auf {3}."],
  "you-moved-special": ["You place a special patch on {1}.", "Du legst einen Spezialflicken auf {1}."],
  "moved-advance": ["{0} advances {1} and earns {2}.", "{0} rückt {1} vor und erhält {2}."],
  "moved-buy": ["{0} buys patch {1} for {2} and places it on {3}.",
    "{0} kauft Flicken {1} für {2} und legt ihn auf {3}."],
  "moved-special": ["{0} places a special patch on {1}.", "{0} legt einen Spezialflicken auf {1}."],
  "moved-income": ["Income: {0}.", "Einkommen: {0}."],
  "moved-seven": ["The 7×7 bonus is won.", "Der 7×7-Bonus ist gewonnen."],
  "effect-cost": ["costs {0}", "kostet {0}"], "effect-income": ["crosses income: +{0}", "über Knopf: +{0}"],
  "effect-special": ["special patch|{0} special patches", "Spezialflicken|{0} Spezialflicken"],
  "effect-seven": ["7×7 bonus!", "7×7-Bonus!"], "effect-again": ["you move again", "du bist noch einmal dran"],
  "effect-time": ["to space {0}", "auf Feld {0}"],
  "words-advance": ["advance", "Vorrücken"], "words-buy": ["patch {0} on {1}", "Flicken {0} auf {1}"],
  "words-special": ["special patch on {0}", "Spezialflicken auf {0}"], "hint-is": ["Hint: {0}", "Tipp: {0}"],
  redone: ["Played again.", "Wieder gespielt."], undone: ["Taken back.", "Zurückgenommen."],
  "put-back-said": ["Put back.", "Zurückgelegt."],

  // ---- new game
  opponent: ["Opponent", "Gegner"],
  side: ["You move", "Du beginnst"], "side-first": ["first", "als Erster"], "side-second": ["second", "als Zweiter"],
  "side-random": ["by lot", "nach Los"], "two-people": ["Two people at this board", "Zwei Menschen an diesem Brett"],
  "two-levels": ["Two levels, to watch", "Zwei Stufen, zum Zuschauen"], time: ["Time for a move", "Zeit je Zug"],
  "time-level": ["as the level", "wie die Stufe"], seconds: ["{0} second|{0} seconds", "{0} Sekunde|{0} Sekunden"],
  printing: ["Printing of the time board", "Ausgabe der Zeitleiste"],
  original: ["original", "erste Ausgabe"], revised: ["revised", "überarbeitet"], "ring-choice": ["Ring", "Ring"],
  "ring-random": ["random", "zufällig"], "ring-seed": ["by number of a seed", "nach Nummer und Startwert"],
  "ring-list": ["patch by patch", "Flicken für Flicken"], seed: ["Seed", "Startwert"], number: ["Number", "Nummer"],
  "not-a-number": ["{0}: expected a whole number, found “{1}”.", "{0}: erwartet wird eine ganze Zahl, gefunden „{1}“."],
  "ring-order": ["Order of the 33 patches, 1 last", "Reihenfolge der 33 Flicken, 1 am Ende"],
  start: ["Start", "Beginnen"], rating: ["Elo {0} ± {1}", "Elo {0} ± {1}"],
  "rating-source": ["Ratings: {0}", "Wertungen: {0}"], "more-choices": ["Time track and ring", "Zeitleiste und Ring"],
  "help-mouse": ["Mouse: drag a patch onto your quilt, or click it and then the place. The wheel or the right button "
      + "turns it, the middle button flips it.",
    "Maus: Ziehe einen Flicken auf deine Decke, oder klicke ihn an und dann den Platz. Das Rad oder die rechte Taste "
      + "dreht ihn, die mittlere wendet ihn."],
  "help-touch": ["Touch: drag a patch onto your quilt, move it, turn it, and tap Place.",
    "Finger: Ziehe einen Flicken auf deine Decke, schiebe und drehe ihn, und tippe auf Legen."],
  "key-choose": ["pick up a patch", "einen Flicken nehmen"], "key-move": ["move it", "ihn schieben"],
  "key-turn": ["turn it, flip it", "ihn drehen, wenden"], "key-place": ["place it", "ihn legen"],
  "key-back": ["put it back", "ihn zurücklegen"], "key-advance": ["advance", "vorrücken"],
  "key-undo": ["take back, play again", "zurücknehmen, wieder spielen"],
  "key-step": ["step through the game", "durch die Partie gehen"], "key-hint": ["hint", "Tipp"],
  "key-new": ["new game", "neue Partie"], "key-help": ["this help", "diese Hilfe"],
  "level-newcomer": ["Newcomer", "Neuling"], "level-beginner": ["Beginner", "Anfänger"],
  "level-casual": ["Casual player", "Hobbyspieler"], "level-club": ["Club player", "Vereinsspieler"],
  "level-expert": ["Expert", "Experte"], "level-master": ["Master", "Meister"],
  "level-champion": ["Champion", "Champion"],
} satisfies Record<string, readonly [string, string]>;

export type Text = keyof typeof TABLE;

let language: Language = "en";
export const setLanguage = (wanted: Language): void => { language = wanted; };
export const currentLanguage = (): Language => language;

/** The text in the language of the page. */
export function t(name: Text, ...values: (string | number)[]): string {
  const text = TABLE[name][language === "en" ? 0 : 1];
  const forms = text.split("|");
  const form = forms.length > 1 && Math.abs(Number(values[0])) !== 1 ? forms[1]! : forms[0]!;
  return form.replace(/\{(\d)\}/g, (_, i: string) => shown(values[Number(i)] ?? ""));
}

/** A text whose name is made from data, such as a level's; the name itself where there is none. */
export const named = (prefix: string, name: string): string =>
  (`${prefix}-${name}` in TABLE ? t(`${prefix}-${name}` as Text) : name);

/** Numbers below zero have a minus sign, not a hyphen. */
export const shown = (value: string | number): string =>
  (typeof value === "number" && value < 0 ? `−${-value}` : String(value));

/** A count, as it is written in the language. */
export const number = (value: number): string => value.toLocaleString(language);

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

export const signed = (value: number): string => (value > 0 ? `+${value}` : shown(value));
