"""The words that tell what a reply says of the option named behind them, by role.

Each plays one part in a phrase such as "so the *answer* *is* *clearly* *option* B"; `_` stands for
a space. English first, then the other languages.
"""

import re
from typing import Literal

Cue = Literal[
    "", "denied", "corrected", "aside", "tentative", "answer", "called_answer", "choice",
    "therefore", "only", "spared", "copula", "colon", "between",
]  # fmt: skip
"""How the text before an option leads up to it; empty where it does not."""

ROLES: dict[str, str] = {
    # The noun that a reply calls its answer.
    "answer": """
        answer answers answer's answered ans solution final conclusion verdict prediction result
        response selection guess pick decision key
        réponse reponse réponses antwort antworten lösung loesung respuesta respuestas solución
        resposta
        respostas solução risposta risposte soluzione ответ ответы решение відповідь antwoord
        odpowiedź
        odpowiedz odpověď odpoveď svar svaret vastaus válasz răspunsul răspuns raspuns απάντηση
        cevap
        yanıt jawaban jawapan sagot đáp_án الإجابة الاجابة الجواب إجابة الإجابه उत्तर जवाब คำตอบ
        תשובה
        התשובה پاسخ جواب উত্তর
    """,
    # Adjectives of the one right option: "the correct choice is", "the missing piece is".
    "right": """
        correct right best only missing matching next proper appropriate accurate odd likely
        likeliest
        logical suitable valid closest required remaining true
        correcte bonne bon richtige korrekte correcta correcto corretta corretto correta correto
        правильный правильная верный верная верно juiste rätt rätta doğru benar prawidłowa poprawna
        الصحيحة الصحيح सही
    """,
    # Verbs and endings that link a subject with the option.
    "link": """
        is are was were be been 's being equals equal becomes remains seems appears would should
        must
        will has to ought turns comes out have
        est sont serait ist sind wäre waere lautet es son sería seria ser é è e' sarebbe это jest
        είναι
        er är on adalah ialah là este dir هي هو है कोई คือ היא הוא است হল
    """,
    # Verbs that leave it open: "it might be", "it could be".
    "maybe": """
        maybe perhaps possibly possible potentially might could may can unsure
        peut-être vielleicht quizás quizá talvez forse возможно misschien kanske belki mungkin
    """,
    # Words between the link and the option that add nothing.
    "fill": """
        the a an clearly definitely obviously certainly simply therefore thus then hence indeed
        actually
        still now surely just that namely apparently evidently undoubtedly again also my our most
        very quite about roughly approximately around exactly approx labeled labelled marked
        lettered
        denoted named called number letter to
        la le l' el los las die der das den o het de il lo un une uno una ein eine dann also donc
        mithin somit под буквой буква e a
    """,
    # Nouns for an option.
    "noun": """
        option options choice choices alternative alternatives letter letters number figure figures
        image images picture pictures diagram diagrams box boxes shape shapes piece pieces object
        objects statement statements panel panels tile tiles item items cube proposal proposals
        pattern patterns drawing drawings candidate candidates design designs view views no opt fig
        lettre choix opción opcion letra alternativa figura opção opcao opzione lettera optie
        buchstabe möglichkeit abbildung bild вариант варианту варианта варианте рисунок фигура opcja
        seçenek şık opsi pilihan phương_án lựa_chọn الخيار विकल्प set
    """,
    # Verbs of choosing.
    "choose": """
        choose chose chosen choosing pick picked picking select selected selecting prefer say guess
        conclude believe think submit answering matches match favor favour favors gives yields
        probably likely
        elijo escojo escolho wähle nehme choisis scelgo выбираю выберу kies wybieram väljer
        seçiyorum
        pilih leaving leaves leaning i.e viz
    """,
    # Words that draw a conclusion.
    "therefore": """
        so thus therefore hence consequently accordingly then ergo donc also daher somit luego
        portanto
        quindi поэтому следовательно dus ∴ ⇒ → => -> ⟹
    """,
    "only": "only just solely",
    "since": "since because as given",
    "preposition": "in of from at on inside within",
    "pronoun": "it that this which one it's that's ce das dit c'est",
    # Words that deny the option behind them.
    "deny": """
        not never neither nor none cannot without except unlike no isn't aren't wasn't can't won't
        eliminate eliminates eliminated eliminating reject rejects rejected rejecting discard
        discards
        discarded discarding exclude excludes excluded excluding dismiss dismissed dismissing avoid
        disregard incorrectly incorrect wrong false unlikely improbable doubt
        nicht kein keine weder ni né pas não nao non ne не niet nie inte ikke değil bukan không
    """,
    # Words behind which an option is only supposed.
    "if": "if whether assume assuming suppose supposing unless when wenn falls если",
    # People whose view it is when it is not the model's.
    "others": "some others people many someone student students anyone you tempting tempted one",
    # What the model thought before.
    "before": """
        initially initial originally original previously previous earlier mistakenly thought
    """,
    # Words that take back what was said.
    "correction": """
        wait actually correction sorry oops scratch mistake apologies hmm revised revising
        reconsidering
        reconsider rechecking recheck rethinking instead corrected update edit nah reflection
        inspection reexamining вернее точнее doch
    """,
    # Where a phrase ends, seen from the option backwards.
    "stop": """
        but and so then is are was were because while whereas which if since as though although
        hence thus therefore sondern sino mas ma mais und et y или а но aber pero
    """,
    # What is weighed or looked at, not chosen: "consider B", "among A and C".
    "weighed": """
        between at from among amongst versus vs than consider considering compare comparing
        compared
    """,
    # Words by which someone else's view is reported: "some might say".
    "reported": "might may could would think say argue assume expect to",
    "supposed": "think argue expect assume answer claim choose pick select say guess believe",
    "change": "change changed changing switch switched switching revise revised revising update",
    # What was first: "my first guess".
    "first": """
        first thought guess answer impression instinct choice idea inclination glance picked chose
        said guessed selected
    """,
    # Behind "which" in a question about the options.
    "asked": "of option choice answer letter one",
    "believe": "think believe say feel guess suspect expect",
    "abbreviated": "ans opt no fig i.e viz approx resp vs",
    "strict_noun": """
        option options choice choices alternative alternatives letter letters answer answers opt
        réponse lettre choix opción opcion letra respuesta alternativa opção opcao opzione lettera
        risposta optie buchstabe möglichkeit antwort вариант варианту варианта варианте ответ буква
        opcja seçenek şık opsi pilihan 选项 選項 答案 選択肢 보기 선택지 الخيار विकल्प
    """,
    "marking": "labeled labelled marked lettered",
    # What has a letter or number of its own that is no option: "part A", "row 3".
    "other_name": """
        part section chapter page row column step question rule vitamin hepatitis grade plan
    """,
    "but": "but sondern sino mais mas ma а maar men rather instead",
    "no": "no não nao non не ne",
}

_PAIRED: dict[str, str] = {
    "choose": """
        go_with going_with went_with go_for opt_for opted_for vote_for settle_on settled_on bet_on
        lean_towards lean_toward leaning_towards leaning_toward lean_to stick_with sticking_with
        left_with us_with me_with consists_of consist_of composed_of
        leaves_us leaves_only leaves_just leaving_only leaving_us corresponds_to
        corresponding_to correspond_to points_to most_likely very_likely i_suppose
    """,
    "deny": """
        rather_than instead_of other_than opposed_to anything_but rule_out rules_out ruled_out
        ruling_out cross_out crossed_out crossing_out except_for different_from
    """,
    # The one option that what is said of the others leaves: "all but C are wrong".
    "spared": """
        all_but everything_but everything_except all_except none_but nothing_but others_except
        options_except options_but option_except option_but choices_except choices_but
        choice_except choice_but figures_except figures_but figure_except figure_but one_but
    """,
    "fill": """
        shown_in shown_as drawn_in illustrated_in pictured_in seen_in
        depicted_in given_by represented_by denoted_by labeled_as labelled_as
        marked_as marked_with in_fact as_follows of_course not_only no_doubt a_doubt any_doubt
    """,
    # What was nearly chosen: "I was going to say".
    "dropped": """
        was_going was_about wanted_to was_leaning was_inclined almost_chose almost_picked
        almost_said almost_went have_said have_chosen have_picked have_guessed
        nearly_chose nearly_picked nearly_said nearly_went
    """,
    # What denies all that follows in its sentence.
    "deny_all": "no_way wrong_answer incorrect_answer wrong_choice false_that wrong_that",
    "maybe": "not_sure может_быть",
    "correction": """
        second_thought i_mean i_meant closer_look was_wrong was_incorrect let_me stand_corrected
        or_rather changed_my hold_on double_checking further_review en_fait en_realidad
    """,
}

PAIRS: dict[tuple[str, str], str] = {
    (first, second): role
    for role, pairs in _PAIRED.items()
    for first, _, second in (pair.partition("_") for pair in pairs.split())
}
"""Two words that act as one, with their role."""

_ENDINGS: dict[Cue, str] = {
    "denied": "不是 不选 不選 不会是 不可能是 排除 排除了 并非 並非 而非 不能选 除了",
    "corrected": "而是 更正为 更正為 应改为",
    "tentative": "可能是 也许是 或许是 可能为 かもしれない 아마",
    "answer": """
        答案是 答案为 答案為 答案选 答案選 答案应该是 答案應該是 答案应为 答案應為 答案就是 答案
        正确的是 正確的是 选择 選擇 故选 故選 应选 應選 我选 我選 选 選 应该是 结果是
        答えは 正解は 正答は 解答は 回答は 答え 正解 정답은 답은 답이 정답 답
    """,
    "therefore": "因此 所以 故 よって 따라서 就是 那么",
    "copula": "是 为 為 は 은 는",
}
# Scripts without spaces: what the text before an option ends with, tried in this order.
SUFFIXES: tuple[tuple[Cue, tuple[str, ...]], ...] = tuple(
    (cue, tuple(endings.split())) for cue, endings in _ENDINGS.items()
)
SUFFIX_FILL = (
    "选项",
    "選項",
    "选择",
    "選択肢",
    "应该是",
    "第",
    "项",
    "図",
    "图",
    "보기",
    "선택지",
    "的",
)

WORDS: dict[str, frozenset[str]] = {
    role: frozenset(word.replace("_", " ") for word in words.split())
    for role, words in ROLES.items()
}

STRICT_NOUNS = WORDS["strict_noun"]
"""Nouns that name nothing but options."""

OPTION_NOUNS = WORDS["noun"] | STRICT_NOUNS | WORDS["marking"]
"""Words that may stand before an option's label."""

_LONGEST_FIRST = sorted(map(re.escape, OPTION_NOUNS - {"set"}), key=lambda noun: (-len(noun), noun))
OPTION_NOUN = "(?:" + "|".join(_LONGEST_FIRST) + ")"
"""The same as a pattern; a "set" may be an option's text."""
