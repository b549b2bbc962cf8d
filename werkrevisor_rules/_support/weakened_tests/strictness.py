"""What assertions mean, by the names that the frameworks give them: the row of facts called strictness."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class Op(Enum):
    """What an assertion demands of its subject."""

    EQUAL = auto()
    SIZE = auto()
    NULL = auto()
    TRUE = auto()
    FALSE = auto()
    EMPTY = auto()
    SNAPSHOT = auto()
    CALLED_WITH = auto()
    CALLED_TIMES = auto()
    NO_MORE_CALLS = auto()
    CONTAINS = auto()
    PATTERN = auto()
    ONE_OF = auto()
    APPROX = auto()
    ANY_ORDER = auto()
    COMPARE = auto()
    TYPE = auto()
    DIFFERS = auto()
    NOT_NULL = auto()
    TRUTHY = auto()
    CALLED = auto()
    RAISES = auto()
    NO_ERROR = auto()
    FAIL = auto()
    PLAN = auto()
    CUSTOM = auto()


_NAMES: Final = {
    Op.EQUAL: "assertis equal equals eq eql deepeql assertequal assertequals asserteq areequal isequalto equalto "
    "toequal tobe "
    "tostrictequal deepequal deepstrictequal strictequal be shouldbe shouldequal shouldbeequalto "
    "isequalbycomparingto isequaltocomparingfieldbyfield isequaltoignoringcase equalvalues exactly "
    "containsexactly containsexactlyelementsof containsexactlyelementsin containsexactlyinorder "
    "assertarrayequals assertiterableequals assertlinesmatch assertlistequal assertdictequal asserttupleequal "
    "assertmultilineequal assertsequenceequal assertcontentequals hasvalue hasmessage withmessage tohavetext "
    "hastostring tohavevalue jsoneq yamleq sequenceequal istrueorfalse returns same assertsame issameas "
    "aresame sameas sameinstance besameas tohavereturnedwith toequaltypeof hastext haserrormessage "
    "withexactmessage isequaltousingrecursivecomparison tohaveurl tohavetitle tohaveattribute tohaveclass "
    "haslowercased isexactlyas assertquery arrayequals hasfieldorpropertywithvalue shouldcontainexactly "
    "shouldcontaininorder has_ assertobject equalexportedvalues isequal assertthatjson deepsame "
    "hascause hasrootcause hasrootcausemessage comparesequalto stringequal tohavebeennthcalledwithexactly status",
    Op.SIZE: "len assertlen hassize havecount hascount tohavelength lengthof havelengthof single assertsingle "
    "containsinglematch containsingle hassizebetween count hassamesizeas tohavecount shouldhavesize "
    "hassingleelement containssingle length havelength collectionsize havesize",
    Op.NULL: "hasnocause hasnosuppressedexceptions "
    "nil null assertnull isnull tobenull isnone assertisnone benull isundefined tobeundefined assertnil "
    "nullvalue shouldbenull none undefined isabsent",
    Op.TRUE: "true asserttrue istrue tobetrue assert ok betrue isok assertok shouldbetrue proptrue",
    Op.FALSE: "false assertfalse isfalse tobefalse befalse shouldbefalse",
    Op.EMPTY: "empty isempty assertempty beempty tobeempty isblank shouldbeempty emptyarray emptystring zero iszero "
    "isnotpresent isemptystring hasnoelements tobeemptydomelement",
    Op.SNAPSHOT: "tomatchsnapshot tomatchinlinesnapshot "
    "tothrowerrormatchingsnapshot tothrowerrormatchinginlinesnapshot "
    "tomatchfilesnapshot matchsnapshot assertsnapshot assertdebugsnapshot tohavescreenshot assertjsonsnapshot "
    "verifyjson assertyamlsnapshot",
    Op.CALLED_WITH: "tohavebeencalledwith tohavebeenlastcalledwith "
    "tohavebeennthcalledwith tohavebeencalledexactlyoncewith "
    "tobecalledwith lastcalledwith nthcalledwith calledwith calledwithexactly calledoncewith "
    "calledoncewithexactly assertcalledwith assertcalledoncewith assertanycall asserthascalls "
    "alwayscalledwith assertawaitedwith assertawaitedoncewith calledwithmatch asserthasawaits assertanyawait",
    Op.CALLED_TIMES: "tohavebeencalledtimes tohavebeencalledonce tobecalledtimes calledonce "
    "calledtwice calledthrice callcount "
    "assertcalledonce tohavereturnedtimes assertnumberofcalls assertawaitedonce assertnumberofcallsequal "
    "notcalled assertnotcalled assertnotawaited",
    Op.NO_MORE_CALLS: "verifynomoreinteractions verifynointeractions verifynoothercalls "
    "confirmverified verifyzerointeractions "
    "assertexpectations verifyall verifynomorecalls",
    Op.CONTAINS: "contains assertcontains contain include includes containsall tocontain tomatchobject tocontainequal "
    "hasitem hasitems assertin assertstringcontains stringcontaining objectcontaining arraycontaining "
    "startswith endswith startwith endwith tohaveproperty hasmessagecontaining hasmessagestartingwith "
    "containsentry containskey containsvalue containsstring doescontain tocontaintext hasproperty property "
    "keys havekey subset containssequence containssubsequence beincludedin shouldcontain shouldcontainall "
    "shouldinclude shouldstartwith hasmessagethat stringcontainsinorder containssubset withmessagecontaining "
    "deepinclude has havemember hasentry containskeys startingwith endingwith tohaveaccessiblename "
    "assertstartswith assertincludes members containsequence hassuffix hasprefix contains_ containspair "
    "haskey",
    Op.PATTERN: "matches matchesregex tomatch assertregex assertmatches regexp containspattern stringmatching "
    "matchesregularexpression match assertlike hasmessagematching doesmatch matchregex shouldmatch likeregex "
    "matchespattern assertregexpmatches containsmatch",
    Op.ONE_OF: "isin oneof isanyof anyof beoneof isoneof isinset shouldbein tobeoneof assertoneof isanyof_ beof",
    Op.APPROX: "assertalmostequal assertalmostequals indelta inepsilon iscloseto closeto approximately tobecloseto "
    "becloseto isequaltowithintolerance approx indeltamapvalues withinduration beapproximately indeltaslice "
    "isnotcloseto iswithin beclosetodate assertallclose assertapproxequal assertarrayalmostequal "
    "assertabsdiffeq assertrelativeeq assertapproxeq assertrelativeeq_ almostequal",
    Op.ANY_ORDER: "containsexactlyinanyorder elementsmatch assertcountequal "
    "assertitemsequal containsonly hassameelementsas "
    "havesamemembers beequivalentto isequivalentto containsinanyorder equivalentto "
    "containsexactlyinanyorderelementsof havemembers samemembers samedeepmembers arecontentsequal equivalent "
    "areequivalent containsonlyonce shouldcontainexactlyinanyorder hassameelements assertsetequal",
    Op.COMPARE: "greater less greaterorequal lessorequal greaterthan "
    "lessthan isgreaterthan islessthan isbetween positive "
    "ispositive negative isnegative bepositive benegative begreaterthan belessthan tobegreaterthan "
    "tobelessthan tobegreaterthanorequal tobelessthanorequal isgreaterthanorequalto islessthanorequalto "
    "assertgreater assertless assertgreaterequal assertlessequal isnotzero above below atleast atmost gt gte "
    "lt lte within inrange isatleast isatmost begreaterorequalto belessorequalto begreaterthanorequalto "
    "belessthanorequalto isafter isbefore hassizegreaterthan isnotnegative isnotpositive havecountgreaterthan "
    "hassizegreaterthanorequalto shouldbegreaterthan",
    Op.TYPE: "hascauseinstanceof hasrootcauseinstanceof "
    "isinstanceof instanceof isassignablefrom istype assertisinstance tobeinstanceof beoftype isassignableto "
    "a an isa beassignableto isexactlyinstanceof hassameclassas implements typeof isof type_ assertinstanceof "
    "isinstanceoftype isexactlyinstanceofany assertisa isnotinstanceof istypeof",
    Op.DIFFERS: "assertisnot notequal assertnotequal assertnotequals isnotequalto "
    "arenotequal notdeepequal notstrictequal asserte_ne "
    "assertne notsame assertnotsame isnotsameas notbe shouldnotbe notcontains assertnotin doesnotcontain "
    "assertnotcontains notregexp notcontain arenotsame notdeepstrictequal doesnotcontainkey shouldnotcontain "
    "notregex assertnotregex doesnotmatch",
    Op.NOT_NULL: "notnil notnull assertnotnull isnotnull tobedefined isnotnone notempty isnotempty isnotblank "
    "assertisnotnone notbenull notbeempty assertnotempty assertnotnil notzero shouldnotbenull "
    "notbenullorempty notnullorempty isnotnullorempty exist exists defined bedefined notbenullorwhitespace "
    "isdefined notnullvalue hassome isnotundefined isnotnullorundefined shouldnotbeempty",
    Op.TRUTHY: "tobetruthy truthy ispresent tobevisible issome isok_ iserr tobeattached tobeinthedocument tobeenabled "
    "tobeok tobechecked isvisible tobefalsy",
    Op.CALLED: "tohavebeencalled tobecalled called assertcalled atleastonce tohavereturned assertawaited",
    Op.RAISES: "raises throws throwsexactly assertthrows assertthrowsexactly assertfailswith assertfails assertraises "
    "assertraisesregex throw tothrow tothrowerror throwsany throwany throwsasync throwasync error "
    "errorcontains erroris errorisa panics panicswitherror panicswithvalue assertthatthrownby expectthrows "
    "shouldthrow shouldthrowexactly rejects rejectedwith assertthatexceptionoftype assertthatcode errorastype "
    "equalerror throwsanyasync errorsis throwexactly shouldthrowany erroras rejected toreject catchthrowable "
    "catchthrowableoftype assertwarns warns assertthrowsany assertpanics isinstanceofexception "
    "assertthatillegalargumentexception assertthatnullpointerexception throwexactlyasync catchexception",
    Op.NO_ERROR: "noerror doesnotthrow notthrow doesnotthrowasync "
    "nothrow assertdoesnotthrow notpanics shouldnotthrowany "
    "shouldnotthrow doesnotthrowanyexception iferror noerrorf doesnotreject succeed assertthatnoexception "
    "doesnotraise notthrowasync",
    Op.FAIL: "fail assertfail failnow failtest unreachable",
    Op.PLAN: "assertions hasassertions plan",
}
MATCHERS: Final[Mapping[str, Op]] = {name: op for op, names in _NAMES.items() for name in names.split()}
"""What a matcher's name means; names in small letters, without `_`."""

STRICT: Final = frozenset({Op.EQUAL, Op.SIZE, Op.NULL, Op.SNAPSHOT, Op.CALLED_WITH, Op.CALLED_TIMES, Op.EMPTY})
"""What leaves one outcome only."""

LOOSE: Final = frozenset(
    {
        Op.CONTAINS,
        Op.PATTERN,
        Op.ONE_OF,
        Op.APPROX,
        Op.ANY_ORDER,
        Op.COMPARE,
        Op.TYPE,
        Op.DIFFERS,
        Op.NOT_NULL,
        Op.TRUTHY,
        Op.CALLED,
    }
)
"""What many outcomes satisfy."""

VAGUE: Final = frozenset({Op.NOT_NULL, Op.TRUTHY, Op.CALLED, Op.TYPE, Op.DIFFERS})
"""What nearly every outcome satisfies."""

MOCK: Final = frozenset({Op.CALLED_WITH, Op.CALLED_TIMES, Op.CALLED, Op.NO_MORE_CALLS})
"""What is demanded of a mock."""

BASE_EXCEPTIONS: Final = frozenset(
    {
        "Exception",
        "BaseException",
        "Throwable",
        "RuntimeException",
        "Error",
        "object",
        "Object",
        "java.lang.Exception",
        "java.lang.Throwable",
        "System.Exception",
        "SystemException",
        "OSError",
        "any",
        "",
    }
)
"""Types that nearly any failure has; the empty text stands for no type at all."""

_LOOSE_INSIDE: Final = re.compile(
    r"\b(?:objectContaining|arrayContaining|stringContaining|stringMatching|anything|any|anyInt|anyString|anyLong|"
    r"sinon \. match|ANY|isA|is_any|any_|AnyArg|Anything|IsAny|closeTo|AnyOf|contains|allOf|AnyOfType|MatchedBy)\b"
)


def loose_inside(text: str) -> int:
    """Return how many places inside an expected value take anything, e.g. `expect.any(Number)`."""
    return len(_LOOSE_INSIDE.findall(text))


_RAISING: Final = re.compile(r"assertthat\w*exception")
_OWN: Final = re.compile(
    r"(?:assert|verify|expect|should)[A-Z]\w*?(Equals?|Match|Matches|Contains?|Containing|StartsWith)"
)
_OWN_WORDS: Final = {
    "equal": Op.EQUAL,
    "equals": Op.EQUAL,
    "match": Op.PATTERN,
    "matches": Op.PATTERN,
    "contain": Op.CONTAINS,
    "contains": Op.CONTAINS,
    "containing": Op.CONTAINS,
    "startswith": Op.CONTAINS,
}


def matcher(name: str) -> Op | None:
    """Return what a matcher's name means, or None for a name of no framework."""
    key = name.replace("_", "").lower()
    found = MATCHERS.get(key)
    if found is None and (own := _OWN.fullmatch(name)):  # an assertion of the project: `assertLogEqual`
        found = _OWN_WORDS.get(own[1].lower())
    if found is None and _RAISING.fullmatch(key):
        return Op.RAISES
    if found is None and key.endswith(("f", "async")) and len(key) > 4:
        found = MATCHERS.get(key.removesuffix("async") if key.endswith("async") else key[:-1])
    return found
